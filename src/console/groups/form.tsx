import { GROUP_STATUSES } from "../../lib/group-status";
import { GROUP_TYPES } from "../../resources/activity-groups/schema";
import { href } from "../href";
import {
  Field,
  type FieldProperties,
  fieldsOf,
  type OwnField,
  Select,
  Submit,
  TextArea,
  Tick,
} from "../shell/form";
import { groupCrumbs } from "../shell/group-crumbs";
import { serialiseInitialFields } from "../shell/initial-fields";
import { Refusal, showPage } from "../shell/layout";
import type { Problem } from "../shell/problem";
import type { PageContext } from "../shell/request";
import { words } from "../shell/text";

const DateField = ({
  hint,
  zone,
  ...field
}: Pick<FieldProperties, "name" | "value" | "problem" | "label"> & { hint: string; zone: string }) => {
  const hasTime = String(field.value).includes("T");
  return (
    <Field
      {...field}
      type={hasTime ? "datetime-local" : "date"}
      attributes={hasTime ? { step: "any" } : {}}
      hint={hasTime ? `In ${zone}.` : `${hint}, in ${zone}.`}
    />
  );
};

const GroupFields = ({ isNew, zone, own }: { isNew: boolean; zone: string; own: OwnField }) => (
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
    <DateField {...own("starts_at")} label="Starts" hint="As the day begins" zone={zone} />
    <DateField {...own("ends_at")} label="Ends" hint="As the day ends" zone={zone} />
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

/** The form of a group; without `id` of a new one. */
export function showGroupForm(
  c: PageContext,
  id: string | undefined,
  values: Readonly<Record<string, string | null>>,
  problem?: Problem,
): Response | Promise<Response> {
  const { slug: workspace, timeZone: zone } = c.var.membership.workspace;
  return showPage(
    c,
    {
      title: id === undefined ? "New Activity Group" : "Edit Activity Group",
      section: "groups",
      crumbs: groupCrumbs(
        workspace,
        id === undefined ? undefined : { id, name: values["name"] || "Activity Group" },
      ),
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
      <GroupFields isNew={id === undefined} zone={zone} own={fieldsOf(values, problem)} />
      <Submit
        label={id === undefined ? "Create Activity Group" : "Save changes"}
        cancel={id === undefined ? href.groups(workspace) : href.group(workspace, id)}
      />
    </form>,
  );
}
