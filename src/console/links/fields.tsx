import type { ActivityGroup } from "../../activity-groups/schema";
import {
  KEY_FIELD_NAMES,
  LABEL_FIELD_NAMES,
  LIFE_FIELD_NAMES,
  MOMENT_FIELD_NAMES,
  MOMENT_FIELDS,
  TEXT_FIELDS,
  type TextFieldName,
  URL_FIELD_NAMES,
  URL_FIELDS,
  UTM_FIELD_NAMES,
} from "../../lib/link-fields";
import type { Preview } from "../../links/preview";
import type { Tag } from "../../tags/schema";
import { href } from "../href";
import { Field, Select } from "../shell/form";
import { Refusal } from "../shell/layout";
import type { Problem } from "../shell/problem";
import { words } from "../shell/text";
import type { Draft } from "./draft";
import { PreviewBody } from "./preview";
import { TagBoxes } from "./tag-boxes";

/** What the form chooses from. */
export interface Choices {
  tags: readonly Tag[];
  groups: readonly ActivityGroup[];
  channels: readonly string[];
}

/** The channel has a field of its own, which suggests those in use. */
const LABELS = LABEL_FIELD_NAMES.filter((name) => name !== "channel");

const TextFields = ({
  names,
  draft,
  problem,
}: {
  names: readonly TextFieldName[];
  draft: Draft;
  problem: Problem | undefined;
}) => (
  <>
    {names.map((name) => (
      <Field label={TEXT_FIELDS[name].label} name={name} value={draft[name]} problem={problem} />
    ))}
  </>
);

const MOMENT_HINTS = {
  starts_at: "In UTC. Until then visitors see a page that says that the link is not open yet.",
  ends_at: "In UTC. Left empty, the link has no end, unless its Activity Group gives it one.",
} as const;

/** Folded unless one of its fields is set or refused. */
const BeginAndEnd = ({ draft, problem }: { draft: Draft; problem: Problem | undefined }) => (
  <details
    class="more"
    open={LIFE_FIELD_NAMES.some((name) => draft[name] !== "" || problem?.errors[name] !== undefined)}
  >
    <summary>Begin and end</summary>
    <div class="fields">
      {MOMENT_FIELD_NAMES.map((name) => (
        <Field
          label={MOMENT_FIELDS[name].label}
          name={name}
          type="datetime-local"
          value={draft[name]}
          problem={problem}
          hint={MOMENT_HINTS[name]}
          attributes={{ step: "any" }}
        />
      ))}
      {URL_FIELD_NAMES.map((name) => (
        <Field
          label={URL_FIELDS[name].label}
          name={name}
          value={draft[name]}
          problem={problem}
          hint="Where visitors are sent then. Left empty, the address of the Activity Group, or a page that says that the link has ended."
          attributes={{ inputmode: "url", spellcheck: "false" }}
        />
      ))}
    </div>
  </details>
);

const groupName = ({ name, status, default_utm_campaign: campaign }: ActivityGroup): string =>
  [name, status === "active" ? "" : words(status), campaign === null ? "" : `utm_campaign ${campaign}`]
    .filter(Boolean)
    .join(" · ");

/** The form of a link that is to be, or that there is; `link` says which, and what the form was made of. */
export const LinkFields = ({
  workspace,
  action,
  draft,
  choices,
  preview,
  problem,
  link,
}: {
  workspace: string;
  action: string;
  draft: Draft;
  choices: Choices;
  preview: Preview;
  problem?: Problem | undefined;
  link?: {
    id: string;
    etag: string;
    was: Draft;
    short_url: string;
    /** Whether the operator has taken it down, so that it cannot get another slug. */
    keepsSlug: boolean;
  };
}) => (
  <div class="columns">
    <form
      class="card fields"
      method="post"
      action={action}
      data-preview={href.linkPreview(workspace)}
      data-shows="preview"
    >
      <Refusal problem={problem} />
      {link && (
        <>
          <input type="hidden" name="link" value={link.id} />
          <input type="hidden" name="etag" value={link.etag} />
          <input type="hidden" name="was" value={JSON.stringify(link.was)} />
        </>
      )}
      <Field
        label="Destination"
        name="destination_url"
        required
        value={draft.destination_url}
        problem={problem}
        hint="Where the link leads: an address that begins with https:// or http://"
        attributes={{ inputmode: "url", spellcheck: "false" }}
      />
      <Field
        label="Slug"
        name="slug"
        required={link !== undefined}
        value={draft.slug}
        problem={problem}
        hint={
          link?.keepsSlug === true
            ? "The operator of this service has taken this link down, so it cannot get another slug."
            : link
              ? "The last part of the short URL. After a change the old slug goes on working."
              : "The last part of the short URL. Left empty, one is made."
        }
        attributes={{
          maxlength: 64,
          spellcheck: "false",
          autocapitalize: "none",
          readonly: link?.keepsSlug === true,
        }}
      />
      <TextFields names={LABELS} draft={draft} problem={problem} />
      <Select
        label="Activity Group"
        name="activity_group_id"
        none="None"
        value={draft.activity_group_id}
        problem={problem}
        options={choices.groups.map((group) => [group.id, groupName(group)] as const)}
      />
      <Field
        label={TEXT_FIELDS.channel.label}
        name="channel"
        value={draft.channel}
        problem={problem}
        hint="Where the link will be seen, such as newsletter or poster"
        attributes={{ list: "channels" }}
      />
      <datalist id="channels">
        {choices.channels.map((channel) => (
          <option value={channel} />
        ))}
      </datalist>
      <TextFields names={UTM_FIELD_NAMES} draft={draft} problem={problem} />
      <Field
        label="utm_campaign"
        name="utm_campaign"
        value={draft.utm_campaign}
        problem={problem}
        hint="Left empty, the Activity Group’s default"
      />
      {KEY_FIELD_NAMES.map((name) => (
        <Field
          label={TEXT_FIELDS[name].label}
          name={name}
          value={draft[name]}
          problem={problem}
          hint="The key that your own system or file has for this link"
          attributes={{ spellcheck: "false", autocapitalize: "none" }}
        />
      ))}
      <TagBoxes workspace={workspace} tags={choices.tags} chosen={draft.tag_ids} problem={problem} />
      <BeginAndEnd draft={draft} problem={problem} />
      <p class="row">
        <button type="submit" class="primary">
          {link ? "Save" : "Create the link"}
        </button>
        <button type="submit" name="preview" value="1" formnovalidate>
          Preview
        </button>
        <a href={link ? href.link(workspace, link.id) : href.links(workspace)}>Cancel</a>
      </p>
    </form>
    <section class="card top-aligned" id="preview" aria-live="polite">
      <PreviewBody preview={preview} />
    </section>
  </div>
);
