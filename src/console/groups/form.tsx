import type { Hono } from "hono";
import { createActivityGroup, updateActivityGroup } from "../../activity-groups/manage";
import { getGroupOverview } from "../../activity-groups/overview";
import {
  type ActivityGroup,
  changedActivityGroup,
  GROUP_TYPES,
  namedActivityGroup,
} from "../../activity-groups/schema";
import { GROUP_STATUSES } from "../../lib/group-status";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Field, Select, TextArea } from "../shell/form";
import { changedFields, serialiseInitialFields } from "../shell/initial-fields";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { words } from "../shell/text";
import { DAY_BEGINS, DAY_ENDS } from "./list";

type Values = Readonly<Record<string, string | null>>;

/** A time as its field has it, in UTC: a day alone where that stands for the time. */
const momentShown = (time: string | null, day: string): string =>
  time?.endsWith(day) ? time.slice(0, -day.length) : (time ?? "").replace(/(?::00)?(?:\.000)?Z$/, "");

/** The same as the service takes it. */
const momentGiven = (text: string, day: string): string => {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}${day}`;
  return /^[\d-]+T[\d:.]+$/.test(text) ? `${text.replace(/T\d\d:\d\d$/, "$&:00")}Z` : text;
};

/** A form's fields as the service takes them. */
const asInput = (fields: Readonly<Record<string, string>>): Record<string, string> => ({
  ...fields,
  ...(fields["starts_at"] !== undefined && { starts_at: momentGiven(fields["starts_at"], DAY_BEGINS) }),
  ...(fields["ends_at"] !== undefined && { ends_at: momentGiven(fields["ends_at"], DAY_ENDS) }),
});

const valuesOf = (group: ActivityGroup): Values => ({
  name: group.name,
  slug: group.slug,
  type: group.type,
  description: group.description,
  default_utm_campaign: group.default_utm_campaign,
  starts_at: momentShown(group.starts_at, DAY_BEGINS),
  ends_at: momentShown(group.ends_at, DAY_ENDS),
});

const Moment = ({
  name,
  label,
  hint,
  values,
  problem,
}: {
  name: string;
  label: string;
  hint: string;
  values: Values;
  problem: Problem | undefined;
}) => {
  const value = values[name];
  const hasTime = /T/.test(value ?? "");
  return (
    <Field
      label={label}
      name={name}
      type={hasTime ? "datetime-local" : "date"}
      attributes={hasTime ? { step: "any" } : {}}
      value={value}
      hint={hasTime ? "In UTC." : hint}
      problem={problem}
    />
  );
};

/** The fields of a new group, or of the one with this id. */
function showForm(
  c: PageContext,
  id: string | undefined,
  values: Values,
  problem?: Problem,
): Response | Promise<Response> {
  const workspace = c.var.membership.workspace.slug;
  const own = (name: string) => ({ name, value: values[name], problem });
  return showPage(
    c,
    {
      title: id === undefined ? "New Activity Group" : "Edit Activity Group",
      section: "groups",
      status: problem?.status ?? 200,
    },
    <form
      method="post"
      action={id === undefined ? href.newGroup(workspace) : href.editGroup(workspace, id)}
      class="narrow card"
    >
      <Refusal problem={problem} />
      {id !== undefined && (
        <input type="hidden" name="was" value={values["was"] ?? serialiseInitialFields(values)} />
      )}
      <Field
        {...own("name")}
        label="Name"
        required
        attributes={{ maxlength: 100, autofocus: id === undefined }}
      />
      <Field
        {...own("slug")}
        label="Slug"
        required={id !== undefined}
        hint={
          id === undefined
            ? "What the API calls the group: lower-case letters, digits and hyphens. Left empty, it is made from the name."
            : "What the API calls the group. Programs that use the old slug will no longer find it."
        }
        attributes={{ maxlength: 120, autocapitalize: "none", spellcheck: "false" }}
      />
      <Select
        {...own("type")}
        label="Type"
        required
        options={GROUP_TYPES.map((type) => [type, words(type)] as const)}
      />
      {id === undefined && (
        <Select
          {...own("status")}
          label="Status"
          required
          hint="It can move on later. Links can be in the group whatever its status."
          options={GROUP_STATUSES.filter((status) => status !== "archived").map(
            (status) => [status, words(status)] as const,
          )}
        />
      )}
      <TextArea {...own("description")} label="Description" />
      <Field
        {...own("default_utm_campaign")}
        label="Default UTM campaign"
        hint="Given to links that join the group from now on. Links that are in it already keep theirs."
        attributes={{ maxlength: 255, autocapitalize: "none", spellcheck: "false" }}
      />
      <Moment
        name="starts_at"
        label="Starts"
        hint="As the day begins, in UTC."
        values={values}
        problem={problem}
      />
      <Moment name="ends_at" label="Ends" hint="As the day ends, in UTC." values={values} problem={problem} />
      <div class="row">
        <button type="submit" class="primary">
          {id === undefined ? "Create Activity Group" : "Save changes"}
        </button>
        <a href={id === undefined ? href.groups(workspace) : href.group(workspace, id)}>Cancel</a>
      </div>
    </form>,
  );
}

/** Making and editing Activity Groups. */
export function registerGroupForm(app: Hono<ConsoleEnv>): void {
  app.get(paths.newGroup, editorsOnly, (c) => showForm(c, undefined, { type: "campaign" }));

  app.post(paths.newGroup, editorsOnly, async (c) => {
    const { fields } = await readForm(c);
    try {
      const group = await createActivityGroup(c.var.ctx, checked(namedActivityGroup, asInput(fields)));
      return redirectWithNotice(
        c,
        href.group(c.var.membership.workspace.slug, group.id),
        "The Activity Group was created.",
      );
    } catch (error) {
      return showForm(c, undefined, fields, toProblem(error));
    }
  });

  app.get(paths.editGroup, editorsOnly, async (c) => {
    const group = await getGroupOverview(c.var.ctx, c.req.param("id"));
    return showForm(c, group.id, valuesOf(group));
  });

  app.post(paths.editGroup, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    try {
      const input = checked(changedActivityGroup.omit({ status: true }), asInput(changedFields(fields)));
      const group = await updateActivityGroup(c.var.ctx, id, input);
      return redirectWithNotice(
        c,
        href.group(c.var.membership.workspace.slug, group.id),
        "The changes were saved.",
      );
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status === 404) throw error;
      return showForm(c, id, fields, problem);
    }
  });
}
