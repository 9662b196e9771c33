import { z } from "zod";
import { text } from "../../lib/validation";
import { type GroupOverview, getGroupOverview } from "../../resources/activity-groups/overview";
import { changeChosenLinks } from "../../resources/links/change-results";
import { changeLinksSchema } from "../../resources/links/change-schema";
import { type FoundLinks, listSomeLinks } from "../../resources/links/list";
import type { Link } from "../../resources/links/schema";
import { describeOutcomes } from "../links/bulk-notice";
import { nameOf, TagBadges } from "../links/link-text";
import { Button } from "../shell/button";
import { here, href } from "../shell/href";
import { Page, Refusal, redirectWithNotice } from "../shell/layout";
import { isTicked, SearchField, TickAll, WithChosen } from "../shell/list";
import { checked, type Form, type PageContext, readQuery } from "../shell/request";
import { Empty, number } from "../shell/text";

const MAX_OFFERED = 100;
const MAX_TAGS_SHOWN = 3;

const query = z.object({ q: text(255).optional() });

interface OfferProperties {
  group: GroupOverview;
  link: Link;
  clicks: number;
}

const Offer = ({ link, group, clicks }: OfferProperties) => {
  const current = link.activity_group;
  const isHere = current?.id === group.id;
  return (
    <li>
      <label class="tick">
        <input
          type="checkbox"
          name="ids"
          value={link.id}
          checked={isTicked("ids", link.id)}
          disabled={isHere}
        />
        <span>
          <bdi>{nameOf(link)}</bdi>
          <span class="soft small block">
            {link.short_url}
            {isHere ? " · in this group already" : current !== undefined && ` · now in ${current.name}`}
          </span>
        </span>
      </label>
      {link.tags.length > 0 && <TagBadges tags={link.tags} maxShown={MAX_TAGS_SHOWN} />}
      <span class="clicks">
        <strong>{number(clicks)}</strong> <span class="small soft">{clicks === 1 ? "click" : "clicks"}</span>
      </span>
    </li>
  );
};

/** What the list leaves out. */
const Remark = ({ q, shown, page }: { q: string | undefined; shown: number; page: FoundLinks }) => {
  const { meta, lookedAt } = page;
  const { total } = meta;
  return (
    <p class="soft">
      {lookedAt !== null && (
        <>
          The search has looked at {number(lookedAt)} links, the newest first where it could. There may be
          more: another word finds them.{" "}
        </>
      )}
      {total > shown ? (
        <>
          {q === undefined ? "The newest" : "The first"} {number(shown)} of {number(total)} links. Search to
          find others, or <a href={here.links({ q })}>move all of them in the list of links</a>.
        </>
      ) : q === undefined ? (
        "All active links, the newest first."
      ) : (
        lookedAt === null && "All active links that the search finds."
      )}{" "}
      A link is in one group at a time: it leaves the one that it is in. A campaign that was set on a link
      stays.
    </p>
  );
};

/** Links that can be moved into a group: those that a search finds, or the newest. */
export async function showMove(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const id = c.req.param("id");
  const { q } = readQuery(query, c);
  const [group, page] = await Promise.all([
    getGroupOverview(ctx, id),
    listSomeLinks(ctx, { find: q, status: "active", sort: "-created_at", page: 1, per_page: MAX_OFFERED }),
  ]);
  const { items } = page;
  const canMove = items.some((link) => link.activity_group?.id !== group.id);
  return c.render(
    <Page
      title="Move links here"
      section="groups"
      crumbs={["groups", { label: group.name, href: href.group(workspace, group.id) }]}
      class="stack"
    >
      <search>
        <form method="get" action={href.moveToGroup(workspace, group.id)} class="search">
          <SearchField label="Search links" value={q} />
          <button type="submit">Search</button>
        </form>
      </search>
      <Refusal />
      {items.length === 0 ? (
        <Empty text={q === undefined ? "There is no active link." : "No active link is like that."} />
      ) : (
        <form class="bulk" method="post" action={href.moveToGroup(workspace, group.id, { q })}>
          <Remark q={q} shown={items.length} page={page} />
          <TickAll name="ids" />
          <div class="card">
            <ul class="offers">
              {items.map((link) => (
                <Offer link={link} group={group} clicks={page.visitTotals.get(link.id)?.clicks ?? 0} />
              ))}
            </ul>
          </div>
          {canMove && (
            <WithChosen name="ids" of="link">
              <Button label="Move here" kind="primary" />
            </WithChosen>
          )}
        </form>
      )}
    </Page>,
  );
}

export async function moveLinks(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const group = await getGroupOverview(ctx, c.req.param("id"));
  const ids = form.all("ids");
  const input = checked(changeLinksSchema, { ids, change: "move", activity_group_id: group.id });
  const { outcomes, batch } = await changeChosenLinks(ctx, input);
  const notice = describeOutcomes(input, outcomes, { name: group.name });
  return redirectWithNotice(c, href.group(workspace, group.id), notice, batch?.id);
}
