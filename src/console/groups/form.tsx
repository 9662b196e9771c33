import { GROUP_STATUSES } from "../../lib/group-status";
import { GROUP_TYPES } from "../../resources/activity-groups/schema";
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
  zone,
  values,
  problem,
}: {
  name: string;
  label: string;
  hint: string;
  zone: string;
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
      hint={hasTime ? `In ${zone}.` : `${hint}, in ${zone}.`}
      problem={problem}
    />
  );
};

const GroupFields = ({
  isNew,
  zone,
  values,
  problem,
}: {
  isNew: boolean;
  zone: string;
  values: Values;
  problem: Problem | undefined;
}) => {
  const own = (name: string) => ({ name, value: values[name], problem });
  return (
    <>
      <Field {...own("name")} label="Name" required attributes={{ autofocus: isNew }} />
      <Field
        {...own("slug")}
        label="Slug"
        required={!isNew}
        hint={
          isNew
            ? "What the API calls the group: lower-case letters, digits and hyphens. Left empty, it is made from the name."
            : "What the API calls the group. Programs that use the old slug will no longer find it."
        }
        attributes={{ autocapitalize: "none", spellcheck: "false" }}
      />
      <Select
        {...own("type")}
        label="Type"
        required
        options={GROUP_TYPES.map((type) => [type, words(type)] as const)}
      />
      {isNew && (
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
        attributes={{ autocapitalize: "none", spellcheck: "false" }}
      />
      <DateField
        name="starts_at"
        label="Starts"
        hint="As the day begins"
        zone={zone}
        values={values}
        problem={problem}
      />
      <DateField
        name="ends_at"
        label="Ends"
        hint="As the day ends"
        zone={zone}
        values={values}
        problem={problem}
      />
      <Tick
        {...own("follows_dates")}
        label="The status follows the dates"
        hint="The group becomes active when it starts and completed when it ends. A status that somebody sets against the dates stays, and ends this."
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
    </>
  );
};

/** The form of a group; without `id` of a new one. */
export function showGroupForm(
  c: PageContext,
  id: string | undefined,
  values: Values,
  problem?: Problem,
): Response | Promise<Response> {
  const { slug: workspace, timeZone: zone } = c.var.membership.workspace;
  return showPage(
    c,
    {
      title: id === undefined ? "New Activity Group" : "Edit Activity Group",
      section: "groups",
      crumbs: [
        { label: "Activity Groups", href: href.groups(workspace) },
        ...(id === undefined
          ? []
          : [{ label: values["name"] || "Activity Group", href: href.group(workspace, id) }]),
      ],
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
      <GroupFields isNew={id === undefined} zone={zone} values={values} problem={problem} />
      <div class="row">
        <button type="submit" class="primary">
          {id === undefined ? "Create Activity Group" : "Save changes"}
        </button>
        <a href={id === undefined ? href.groups(workspace) : href.group(workspace, id)}>Cancel</a>
      </div>
    </form>,
  );
}
