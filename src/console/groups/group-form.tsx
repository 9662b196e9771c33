import { GROUP_STATUSES, GROUP_TYPES, type GroupStatus } from "../../lib/group-status";
import { MOMENT_FIELD_NAMES } from "../../lib/link-fields";
import { changedActivityGroup, namedActivityGroup } from "../../resources/activity-groups/group-schema";
import type { GroupOverview } from "../../resources/activity-groups/group-service";
import { createActivityGroup, updateActivityGroup } from "../../resources/activity-groups/manage-groups";
import { findOwnLastOperation } from "../../resources/audit/audit-service";
import { ActionForm, Button } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { DateField, joinDates } from "../shell/date-field";
import { changedFields, EditForm } from "../shell/edit-form";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { NoteField } from "../shell/note";
import { checked, currentPage, type Form, type PageContext } from "../shell/page-request";
import { Field, HiddenFields, PostForm, Select, Submit, TextArea, Tick } from "../shell/post-form";
import { count, currentZone, inWords } from "../shell/text";
import { linksGoOn, linksHaveEnded, toDateFields, withDates } from "./group-dates";

/** A refused field has the focus instead. */
const autofocus = (isNew: boolean) => (isNew && !currentPage().var.problem ? { autofocus: true } : {});

const GroupFields = ({ isNew }: { isNew: boolean }) => (
  <>
    <Field name="name" label="Name" required attributes={autofocus(isNew)} />
    <Select name="type" label="Type" required options={inWords(GROUP_TYPES)} />
    {isNew && (
      <Select
        name="status"
        label="Status"
        required
        options={inWords(GROUP_STATUSES.filter((status) => status !== "archived"))}
      />
    )}
    <Field
      name="default_utm_campaign"
      label="Default UTM campaign"
      hint="For links that are created in the group or moved into it without a campaign of their own. Links that are in it already keep theirs."
      type="code"
    />
    <DateField name="starts_at" label="Starts" hint="Without a time, it starts when the day begins." />
    <DateField name="ends_at" label="Ends" hint="Without a time, it ends when the day ends." />
    <Tick
      name="follows_dates"
      label="The status follows the dates"
      hint="The group becomes active when it starts and completed when it ends. A status that somebody sets against the dates turns this off."
    />
    <Tick
      name="ends_links"
      label="Links end with the group"
      hint="A link in it that has no end of its own ends when the group ends."
    />
    <Field
      name="ended_url"
      label="After the end"
      hint="Where visitors go after the end, unless the link has an address of its own. If empty, they see a page that says that the link has ended."
      type="address"
    />
    <TextArea name="description" label="Description" />
    <NoteField />
    <Field
      name="slug"
      label="Slug"
      required={!isNew}
      hint={
        isNew
          ? "For programs: lower-case letters, digits and hyphens. If empty, it is made from the name."
          : "Programs that use the old slug will no longer find the group."
      }
      type="code"
    />
  </>
);

const toFields = (group: GroupOverview, zone: string) => ({
  name: group.name,
  slug: group.slug,
  type: group.type,
  description: group.description,
  note: group.note,
  default_utm_campaign: group.default_utm_campaign,
  ...toDateFields(group, zone),
  ended_url: group.ended_url,
  ends_links: String(group.ends_links),
  follows_dates: String(group.follows_dates),
});

export function showNewGroup(c: PageContext): Response | Promise<Response> {
  const { workspace } = c.var;
  return c.render(
    <Page title="New group" section="groups" crumbs={["groups"]}>
      <PostForm
        action={href.newGroup(workspace)}
        initial={{ type: "campaign", follows_dates: "true" }}
        class="narrow card"
      >
        <GroupFields isNew />
        <Submit label="Create group" cancel={href.groups(workspace)} />
      </PostForm>
    </Page>,
  );
}

export const EditGroup = ({ group }: { group: GroupOverview }) => (
  <EditForm action={here.group(group.id, { tab: "settings" })} initial={toFields(group, currentZone())}>
    <GroupFields isNew={false} />
  </EditForm>
);

function buttonLabel(from: GroupStatus, to: GroupStatus): string {
  if (from === "archived") return `Restore as ${to}`;
  return from === "completed" && to === "active" ? "Make active again" : `Mark as ${to}`;
}

function linksAfterArchiving(total: number): string {
  if (total === 0) return "It has no links.";
  return total === 1
    ? "Its link works as before: it keeps its destination and campaign, and counts clicks."
    : `Its ${count(total, "link")} work as before: they keep their destinations and campaigns, and count clicks.`;
}

const linksAfterTheEnd = (total: number, endedUrl: string | null): string => {
  const links =
    total === 1
      ? "its link, unless it has an end of its own"
      : `its ${count(total, "link")}, except those with an end of their own`;
  return endedUrl === null
    ? `${links}. Visitors then see a page that says that the link has ended, unless the link has an address for it.`
    : `${links}. Visitors are then sent to ${endedUrl}, unless the link has an address of its own.`;
};

export const StatusForms = ({ group }: { group: GroupOverview }) => {
  const action = here.groupStatus(group.id);
  const links = group.links.active + group.links.archived;
  // Whether the person saw a status that follows the dates: then the notice says if it no longer does.
  const follows = group.follows_dates ? { follows: "true" } : {};
  const now = currentPage().var.ctx.now();
  return (
    <div class="stack">
      <div class="row">
        {group.moves
          .filter((to) => to !== "archived")
          .map((to) => (
            <ActionForm method="post" action={action}>
              <HiddenFields fields={follows} />
              <Button label={buttonLabel(group.status, to)} name="status" value={to} />
            </ActionForm>
          ))}
      </div>
      {group.status !== "archived" && linksGoOn(group, now) && (
        <Dangerous
          summary="End the links now"
          action={action}
          button="End the links now"
          fields={{ end: "now", ...follows }}
          consequence={`The group ends now, and with it ${linksAfterTheEnd(links, group.ended_url)}`}
        />
      )}
      {group.status === "active" && linksHaveEnded(group, now) && (
        <ActionForm method="post" action={action}>
          <p class="warning">
            The group is active, but its end is in the past, so its links have ended. Opening them again
            removes the end of the group. You can also set a later one in the form.
          </p>
          <Button label="Open the links again" name="end" value="none" />
        </ActionForm>
      )}
      {group.moves.includes("archived") && (
        <Dangerous
          summary="Archive"
          action={action}
          button="Archive this group"
          fields={{ status: "archived", ...follows }}
          consequence={`The group moves to the archive, from where it can be restored as ${group.status}. ${linksAfterArchiving(links)}`}
        />
      )}
    </div>
  );
};

export async function createGroup(c: PageContext, { fields, lines }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const typed = joinDates({ ...fields, note: lines("note") }, ...MOMENT_FIELD_NAMES);
  const input = checked(namedActivityGroup, withDates(typed, ctx.workspace.timeZone));
  const group = await createActivityGroup(ctx, input);
  return redirectWithNotice(c, href.group(workspace, group.id), "The group was created.");
}

/** A form does not send an empty checkbox. */
const UNTICKED = { ends_links: "false", follows_dates: "false" };

const changedGroup = changedActivityGroup.omit({ status: true });

export async function saveGroup(c: PageContext, { fields, lines }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const typed = { ...UNTICKED, ...fields, ...("note" in fields && { note: lines("note") }) };
  const changed = changedFields(joinDates(typed, ...MOMENT_FIELD_NAMES));
  const input = checked(changedGroup, withDates(changed, ctx.workspace.timeZone));
  const group = await updateActivityGroup(ctx, c.req.param("id"), input);
  const operation = await findOwnLastOperation(ctx, group.id);
  const to = href.group(workspace, group.id, { tab: "settings" });
  return redirectWithNotice(c, to, "The changes were saved.", operation);
}
