import { type Child, useContext } from "hono/jsx";
import {
  LABEL_FIELD_NAMES,
  LABEL_FIELDS,
  type LabelFieldName,
  MOMENT_FIELD_NAMES,
  MOMENT_FIELDS,
  PREVIEW_FIELD_NAMES,
  PREVIEW_FIELDS,
  TEXT_FIELDS,
  URL_FIELD_NAMES,
  URL_FIELDS,
  VALUE_FIELDS,
  type ValueFieldName,
  WINDOW_FIELD_NAMES,
} from "../../lib/link-fields";
import { UTM_NAMES } from "../../lib/link-target";
import type { ActivityGroup } from "../../resources/activity-groups/group-schema";
import { DateField } from "../shell/date-field";
import { fieldOfError } from "../shell/error-labels";
import { FormContext } from "../shell/labelled";
import { NoteField } from "../shell/note";
import { currentPage } from "../shell/page-request";
import { Picker } from "../shell/picker";
import { Field } from "../shell/post-form";
import { words } from "../shell/text";
import type { Choices } from "./choices";
import type { Draft } from "./draft";
import { TagBoxes } from "./tag-boxes";

/** Folded unless one of its fields is set or refused, or it was open when sent. The script keeps the hidden field true. */
const Fold = ({
  name,
  label,
  fields,
  layout = "",
  children,
}: {
  name: string;
  label: string;
  fields: readonly (keyof Draft)[];
  layout?: string;
  children: Child;
}) => {
  const { form } = currentPage().var;
  const { values, problem } = useContext(FormContext);
  const refused = problem?.failures.map(({ field }) => fieldOfError(field)) ?? [];
  const open =
    form?.all("open").includes(name) === true ||
    fields.some((field) => Boolean(values[field]) || refused.includes(field));
  return (
    <details class="more" open={open}>
      <summary>{label}</summary>
      <input type="hidden" name="open" value={name} disabled={!open} />
      <div class={`fields ${layout}`}>{children}</div>
    </details>
  );
};

const groupName = ({ name, status, default_utm_campaign: campaign }: ActivityGroup): string =>
  [name, status === "active" ? "" : words(status), campaign === null ? "" : `utm_campaign ${campaign}`]
    .filter(Boolean)
    .join(" · ");

const MOMENT_HINTS = {
  starts_at:
    "Without a time, it opens when the day begins. Until then visitors see a page that says when it opens.",
  ends_at:
    "Without a time, it ends when the day ends. Without a day, the link has no end, or that of its group.",
} as const;

const PREVIEW_HINTS = {
  preview_title: "At most 120 characters.",
  preview_text: "At most 300 characters.",
  preview_image_url: "The address of a picture.",
} as const;

/** A text that suggests what was used before. */
const usedBefore = (name: ValueFieldName, { suggestions }: Choices) => ({
  name,
  type: "code",
  suggested: suggestions[name],
});

const FURTHER_LABELS = LABEL_FIELD_NAMES.filter((name) => name !== "title");

const isValueField = (name: string): name is ValueFieldName => name in VALUE_FIELDS;

const LabelInput = ({ name, choices }: { name: LabelFieldName; choices: Choices }) => {
  const { label, hint } = LABEL_FIELDS[name];
  return <Field {...(isValueField(name) ? usedBefore(name, choices) : { name })} label={label} hint={hint} />;
};

/** What many links do without. */
export const OptionalFields = ({ draft, choices }: { draft: Draft; choices: Choices }) => {
  const used = (name: ValueFieldName) => usedBefore(name, choices);
  return (
    <>
      <Fold
        name="naming"
        label="Title, group and tags"
        fields={[...LABEL_FIELD_NAMES, "activity_group_id", "external_id", "note", "tag_ids", "new_tags"]}
      >
        <LabelInput name="title" choices={choices} />
        <Picker
          name="activity_group_id"
          label="Group"
          none="None"
          options={choices.groups.map((group) => [group.id, groupName(group)] as const)}
        />
        <TagBoxes tags={choices.tags} chosen={draft.tag_ids} created="with the link" />
        {FURTHER_LABELS.map((name) => (
          <LabelInput name={name} choices={choices} />
        ))}
        <Field
          name="external_id"
          label={TEXT_FIELDS.external_id.label}
          hint="The key that your own system or file has for this link"
          type="code"
        />
        <NoteField />
      </Fold>
      <Fold name="utm" label="UTM parameters" fields={UTM_NAMES} layout="halves">
        <Field {...used("utm_source")} label="Source" hint="utm_source, such as newsletter" />
        <Field {...used("utm_medium")} label="Medium" hint="utm_medium, such as email" />
        <Field {...used("utm_campaign")} label="Campaign" hint="utm_campaign, else the group’s" />
        <Field {...used("utm_term")} label="Term" hint="utm_term, such as the words of an ad" />
        <Field {...used("utm_content")} label="Content" hint="utm_content, such as which of two buttons" />
      </Fold>
      <Fold name="window" label="Start and end" fields={WINDOW_FIELD_NAMES}>
        {MOMENT_FIELD_NAMES.map((name) => (
          <DateField name={name} label={MOMENT_FIELDS[name].label} hint={MOMENT_HINTS[name]} />
        ))}
        {URL_FIELD_NAMES.map((name) => (
          <Field
            name={name}
            label={URL_FIELDS[name].label}
            hint="The address where visitors go then. If empty, the group’s address, or a page that says that the link has ended."
            type="address"
          />
        ))}
      </Fold>
      {currentPage().var.ctx.config.ownPreviews && (
        <Fold name="chats" label="Preview in chats and networks" fields={PREVIEW_FIELD_NAMES}>
          <p class="hint">
            If you fill in any of these, chats show only these, and nothing of the destination. Visitors are
            redirected as before.
          </p>
          {PREVIEW_FIELD_NAMES.map((name) => (
            <Field name={name} label={PREVIEW_FIELDS[name].label} hint={PREVIEW_HINTS[name]} />
          ))}
        </Fold>
      )}
    </>
  );
};
