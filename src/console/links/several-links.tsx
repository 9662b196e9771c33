import { AlreadyDone } from "../../errors";
import { findAuditEntry } from "../../resources/audit/audit-service";
import { createSeveral } from "../../resources/links/import-links";
import { Button, ButtonLink } from "../shell/button";
import { here, href } from "../shell/href";
import { FieldGroup } from "../shell/labelled";
import { Page, redirectWithNotice } from "../shell/layout";
import { TickAll, Ticks } from "../shell/list-controls";
import { currentPage, type Form, type PageContext } from "../shell/page-request";
import { Picker, toOptions } from "../shell/picker";
import { Field, HiddenFields, PostForm } from "../shell/post-form";
import { Table } from "../shell/table";
import { count, Empty } from "../shell/text";
import { Destination } from "./link-text";
import {
  assertShowable,
  checkRows,
  type Edited,
  type Lists,
  nameOf,
  type Refused,
  type Row,
  readLists,
  rowsIn,
  sharedIn,
  sourceOf,
  toFailures,
} from "./several-rows";
import { DomainField } from "./slug-field";

/** The links as they will be. What is wrong with one is at its field. */
const RowTable = ({ rows }: { rows: readonly Row[] }) => {
  const column = (name: Edited, label: string) => ({
    heading: label,
    cell: (row: Row) => (
      <Field
        name={nameOf(row.saved, name)}
        label={label}
        value={row[name]}
        type="code"
        attributes={{ "aria-label": `${label} of ${row.saved.name}` }}
      />
    ),
  });
  return (
    <Table
      layout="several"
      caption="The links that will be created"
      rows={rows}
      columns={[
        {
          heading: "Saved channel",
          isName: true,
          cell: ({ saved, target, tags, proposed }) => (
            <>
              <HiddenFields fields={{ [nameOf(saved, "proposed")]: proposed }} />
              <bdi>{saved.name}</bdi>
              {target !== null && (
                <div class="soft small">
                  <Destination url={target} />
                </div>
              )}
              {tags.length > 0 && <div class="soft small">{tags.map(({ name }) => name).join(", ")}</div>}
            </>
          ),
        },
        column("slug", "Short link"),
        column("utm_source", "Source"),
        column("utm_medium", "Medium"),
        column("channel", "Channel"),
      ]}
    />
  );
};

/** What all links have in common, and the channels that they are for. */
const SharedFields = ({
  lists: { channels, groups, domains },
  again,
  cancel,
}: {
  lists: Lists;
  again: boolean;
  cancel: string;
}) => {
  const { req, var: page } = currentPage();
  return (
    <div class="card fields">
      <Field
        name="destination_url"
        label="Destination"
        required
        hint="Where all of them lead, such as www.example.com/sale"
        type="address"
      />
      <div class="fields halves">
        <Field
          name="link"
          label="Short link"
          hint="Such as summer, of which the channel’s pattern makes summer-mail"
          type="code"
          attributes={{ maxlength: 64, placeholder: "Made for you" }}
        />
        <DomainField domains={domains} chosen={page.form?.fields["domain"] ?? ""} />
        <Field name="title" label="Title" hint="The name of the channel is put behind it." />
        <Picker
          name="activity_group_id"
          label="Group"
          none="None"
          value={page.form === undefined ? req.query("activity_group_id") : undefined}
          options={toOptions(groups)}
        />
        <Field name="utm_campaign" label="Campaign" hint="Without it, the group’s." />
      </div>
      <FieldGroup name="channels" legend="Channels">
        <TickAll name="channels" label="Select all" />
        <Ticks name="channels" items={channels} />
        <p class="hint">
          <a href={here.channels()}>Saved channels</a> say what their links have in common.
        </p>
      </FieldGroup>
      <p class="row">
        <Button
          name="do"
          value="check"
          formaction={`${here.severalLinks()}#rows`}
          label={again ? "Show the links again" : "Show the links"}
          {...(!again && { kind: "primary" })}
        />
        <a href={cancel}>Cancel</a>
      </p>
    </div>
  );
};

/** Links of one destination for several channels, as they will be, before they are created. */
async function show(c: PageContext, lists: Lists, rows: readonly Row[]): Promise<Response> {
  const { workspace, form, problem } = c.var;
  const id = form?.fields["activity_group_id"] ?? c.req.query("activity_group_id");
  const group = lists.groups.find((one) => one.id === id);
  const ofGroup = group && href.group(workspace, group.id, { tab: "links" });
  const isFieldWrong = (problem?.failures ?? []).length > 0;
  return c.render(
    <Page
      title="Several links"
      section="links"
      crumbs={group && ofGroup ? ["groups", { label: group.name, href: ofGroup }] : ["links"]}
      // Without rows, what is wrong with a field is said at it alone.
      saysRefusal={rows.length === 0 && isFieldWrong}
    >
      {lists.channels.length === 0 ? (
        <Empty text="To create several links at once, first save the channels that you use often, each with its source, medium and tags.">
          <ButtonLink
            to={href.channels(workspace, { activity_group_id: group?.id })}
            label="Save a channel"
            isPrimary
          />
        </Empty>
      ) : (
        <PostForm action={href.severalLinks(workspace)} class="stack">
          <SharedFields lists={lists} again={rows.length > 0} cancel={ofGroup ?? href.links(workspace)} />
          {form !== undefined && rows.length > 0 && (
            <section class="stack" id="rows" aria-label="The links">
              <input type="hidden" name="shown" value={sourceOf(form)} />
              <RowTable rows={rows} />
              <div class="card row dock">
                {isFieldWrong ? (
                  <Button name="do" value="check" kind="primary" label="Check again" />
                ) : (
                  <Button
                    name="do"
                    value="create"
                    kind="primary"
                    label={`Create ${count(rows.length, "link")}`}
                  />
                )}
                <span class="soft">Nothing has been created yet.</span>
              </div>
            </section>
          )}
        </PostForm>
      )}
    </Page>,
  );
}

export const showSeveral = async (c: PageContext): Promise<Response> =>
  show(c, await readLists(c.var.ctx), []);

/** Shows the links, or creates them as they were shown. */
export async function makeSeveral(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  assertShowable(form);
  const lists = await readLists(ctx);
  const shared = sharedIn(form);
  const rows = rowsIn(form, lists);
  const refuse = (message: string, wrong: Refused = new Map()): Promise<Response> => {
    c.set("problem", { status: 422, message, failures: toFailures(wrong, rows) });
    c.status(422);
    return show(c, lists, rows);
  };
  const notAsShown = (wrong: Refused) =>
    refuse(
      `${count(wrong.size, "link")} cannot be created as shown, so none is. Change what is marked.`,
      wrong,
    );
  const { links, refused } = checkRows(lists.conventions, shared, rows);
  const creates = form.fields["do"] === "create";
  if (creates && rows.length < new Set(form.all("channels")).size)
    return refuse("A saved channel was deleted meanwhile. Look at the links again.", refused);
  if (refused.size > 0) return notAsShown(refused);
  if (!creates) return show(c, lists, rows);
  if ((form.fields["shown"] ?? sourceOf(form)) !== sourceOf(form))
    return refuse("You have changed what the links are made of. Look at them again, and create them then.");
  const created = await createSeveral(ctx, links, lists.domains);
  if ("refused" in created) {
    // Sent again, the form finds its own links in the way.
    if (ctx.operation !== undefined && (await findAuditEntry(ctx, ctx.operation))) throw new AlreadyDone();
    return notAsShown(created.refused);
  }
  const { ids, batch } = created;
  const { activity_group_id: group } = shared;
  const to =
    group === ""
      ? href.links(workspace, { made: ids })
      : href.group(workspace, group, { tab: "links", made: ids });
  return redirectWithNotice(
    c,
    to,
    `${count(ids.length, "link")} ${ids.length === 1 ? "is" : "are"} ready.`,
    batch,
  );
}
