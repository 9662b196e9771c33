import { GROUP_TYPES } from "../../activity-groups/schema";
import { GROUP_STATUSES } from "../../lib/group-status";
import { href } from "../href";
import { Field, Select, TextArea, Tick } from "../shell/form";
import { serialiseInitialFields } from "../shell/initial-fields";
import { Refusal, showPage } from "../shell/layout";
import type { Problem } from "../shell/problem";
import type { PageContext } from "../shell/request";
import { words } from "../shell/text";

type Values = Readonly<Record<string, string | null>>;

const DateField = ({
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

/** The form of a group; without `id` of a new one. */
export function showGroupForm(
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
      <DateField
        name="starts_at"
        label="Starts"
        hint="As the day begins, in UTC."
        values={values}
        problem={problem}
      />
      <DateField
        name="ends_at"
        label="Ends"
        hint="As the day ends, in UTC."
        values={values}
        problem={problem}
      />
      <Tick
        {...own("ends_links")}
        label="Links end with the group"
        hint="A link in it that has no end of its own ends when the group ends."
      />
      <Field
        {...own("ended_url")}
        label="After the end"
        hint="Where visitors of its links are sent after the end, unless the link says otherwise. Left empty, they see a page that says that the link has ended."
        attributes={{ inputmode: "url", spellcheck: "false" }}
      />
      <div class="row">
        <button type="submit" class="primary">
          {id === undefined ? "Create Activity Group" : "Save changes"}
        </button>
        <a href={id === undefined ? href.groups(workspace) : href.group(workspace, id)}>Cancel</a>
      </div>
    </form>,
  );
}
