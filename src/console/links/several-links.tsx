import { AlreadyDone } from "../../errors";
import { findAuditEntry } from "../../resources/audit/audit-service";
import { createSeveral } from "../../resources/links/import-links";
import { ButtonLink } from "../shell/button";
import { asShortLink, sayOf } from "../shell/error-labels";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { TickAll, Ticks } from "../shell/list-controls";
import type { Form, PageContext } from "../shell/page-request";
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
  type Shared,
  sharedIn,
} from "./several-rows";
import { DomainField } from "./slug-field";

const AS_TYPED: Readonly<Record<string, string>> = {
  autocomplete: "off",
  spellcheck: "false",
  autocapitalize: "none",
};

const RowTable = ({ rows, refused }: { rows: readonly Row[]; refused: Refused }) => {
  const field = (row: Row, name: Edited, label: string) => (
    <input
      name={nameOf(row.saved, name)}
      value={row[name]}
      aria-label={`${label} of ${row.saved.name}`}
      {...AS_TYPED}
    />
  );
  return (
    <Table
      caption="The links that will be created"
      rows={rows.map((row, index) => ({ row, errors: refused.get(index) ?? [] }))}
      columns={[
        {
          heading: "Saved channel",
          isName: true,
          cell: ({ row: { saved, target, tags }, errors }) => (
            <>
              <bdi>{saved.name}</bdi>
              {target !== null && (
                <div class="small">
                  <Destination url={target} />
                </div>
              )}
              {tags.length > 0 && <div class="soft small">{tags.map(({ name }) => name).join(", ")}</div>}
              {errors.length > 0 && (
                <p class="refused">{errors.map((error) => sayOf(asShortLink(error))).join(" ")}</p>
              )}
            </>
          ),
        },
        { heading: "Short link", cell: ({ row }) => field(row, "slug", "Short link") },
        { heading: "Source", cell: ({ row }) => field(row, "utm_source", "Source") },
        { heading: "Medium", cell: ({ row }) => field(row, "utm_medium", "Medium") },
        { heading: "Channel", cell: ({ row }) => field(row, "channel", "Channel") },
      ]}
    />
  );
};

/** The links as they will be, in a form of their own: what was typed above since they were shown is not in it. */
const Shown = ({ shared, rows, refused }: { shared: Shared; rows: readonly Row[]; refused: Refused }) => (
  <PostForm action={here.severalLinks()} class="stack">
    <HiddenFields fields={{ ...shared, channels: rows.map(({ saved }) => saved.id) }} />
    <RowTable rows={rows} refused={refused} />
    <p class="row">
      <button type="submit" name="do" value="create" class="primary">
        Create {count(rows.length, "link")}
      </button>
      <span class="soft">Nothing has been created yet.</span>
    </p>
  </PostForm>
);

/** Links of one destination for several channels, as they will be, before they are created. */
async function show(c: PageContext, lists: Lists, rows: readonly Row[], refused: Refused): Promise<Response> {
  const { workspace, form } = c.var;
  const { channels, groups, domains } = lists;
  const shared = form && sharedIn(form);
  return c.render(
    <Page title="Several links" section="links" crumbs={["links"]} class="stack">
      {channels.length === 0 ? (
        <Empty text="Save the channels that you use again and again first: each with its source, medium and tags.">
          <ButtonLink to={href.channels(workspace)} label="Save a channel" isPrimary />
        </Empty>
      ) : (
        <>
          {shared !== undefined && rows.length > 0 && <Shown shared={shared} rows={rows} refused={refused} />}
          <PostForm action={href.severalLinks(workspace)} class="card fields narrow">
            <Field
              name="destination_url"
              label="Destination"
              required
              hint="Where all of them lead, such as www.example.com/sale"
              type="address"
            />
            <Field
              name="link"
              label="Short link"
              hint="Such as summer. The pattern of each channel makes a short link of it, such as summer-mail. If it is empty, short links are made for you."
              type="code"
              attributes={{ maxlength: 64 }}
            />
            <DomainField domains={domains} chosen={shared?.domain ?? ""} />
            <Field name="title" label="Title" hint="Each link has the name of its channel behind it." />
            <Picker
              name="activity_group_id"
              label="Group"
              none="None"
              value={c.req.query("activity_group_id")}
              options={toOptions(groups)}
            />
            <Field name="utm_campaign" label="Campaign" hint="utm_campaign, else the group’s" />
            <fieldset>
              <legend>Channels</legend>
              <TickAll name="channels" label="Select all" />
              <Ticks name="channels" items={channels} />
              <p class="hint">
                <a href={href.channels(workspace)}>Saved channels</a> say what their links have in common.
              </p>
            </fieldset>
            <p class="row">
              <button type="submit" name="do" value="check" class={rows.length === 0 ? "primary" : ""}>
                Show the links
              </button>
              <a href={href.links(workspace)}>Cancel</a>
            </p>
          </PostForm>
        </>
      )}
    </Page>,
  );
}

export const showSeveral = async (c: PageContext): Promise<Response> =>
  show(c, await readLists(c.var.ctx), [], new Map());

/** Shows the links, or creates them as they were shown. */
export async function makeSeveral(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  assertShowable(form);
  const lists = await readLists(ctx);
  const shared = sharedIn(form);
  const rows = rowsIn(form, lists);
  const { links, refused } = checkRows(lists.conventions, shared, rows);
  if (form.fields["do"] !== "create") return show(c, lists, rows, refused);
  const refuse = (message: string, marked: Refused): Promise<Response> => {
    c.set("problem", { status: 422, message, failures: [] });
    c.status(422);
    return show(c, lists, rows, marked);
  };
  const notAsShown = (marked: Refused) =>
    refuse(
      `${count(marked.size, "link")} cannot be created as shown, so none is. Change what is marked.`,
      marked,
    );
  if (rows.length < new Set(form.all("channels")).size)
    return refuse("A saved channel was deleted meanwhile. Look at the links again.", refused);
  if (refused.size > 0) return notAsShown(refused);
  const created = await createSeveral(ctx, links, lists.domains);
  if ("refused" in created) {
    // Sent again, the form finds its own links in the way.
    if (ctx.operation !== undefined && (await findAuditEntry(ctx, ctx.operation))) throw new AlreadyDone();
    return notAsShown(created.refused);
  }
  const many = created.ids.length;
  const notice = `${count(many, "link")} ${many === 1 ? "is" : "are"} ready.`;
  return redirectWithNotice(c, href.links(workspace), notice, created.batch);
}
