import { reportTagLinks } from "../../analytics/group-report";
import { reportOrigin } from "../../analytics/origin-report";
import { applyBeforeReport } from "../../analytics/queue";
import { reportTagVisits } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import type { Context } from "../../context";
import { notFound } from "../../errors";
import type { Range } from "../../lib/range";
import { storedId } from "../../lib/ulid-text";
import { deleteTag, mergeTags } from "../../resources/links/remove-tag";
import { updateTagSchema } from "../../resources/tags/tag-schema";
import { listUsedTags, type UsedTag, updateTag } from "../../resources/tags/tag-service";
import { OriginFigures, readChosenOrigin } from "../clicks/origin-figures";
import { RangePicker, readRange } from "../clicks/range";
import { Figures, FiguresCard, TOO_MANY_FOR_TAGS } from "../clicks/visit-figures";
import { readVisitedLinks, type VisitedLink, VisitedLinks } from "../links/visited";
import { SendReport } from "../reports/share";
import { ButtonLink } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { changedFields, EditForm } from "../shell/edit-form";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { Picker, toOptions } from "../shell/picker";
import { Card, count, Empty, quoted } from "../shell/text";
import { initialFields, TagFields, withColour } from "./tag-fields";

const MAX_LISTED = 25;

/** The links that wear a tag now, the most visited in a range first. Two calls of D1, one after the other. */
export const readTagLinks = async (ctx: Context, tag: string, range: Range): Promise<VisitedLink[]> =>
  readVisitedLinks(ctx, (await reportTagLinks(ctx, tag, range)).slice(0, MAX_LISTED), range);

const InListOfLinks = ({
  tag: { slug, active_links: active, archived_links: archived },
}: {
  tag: UsedTag;
}) => (
  <p class="row screen">
    {active > 0 && <a href={here.links({ tag: [slug], status: "active" })}>Show {count(active, "link")}</a>}
    {archived > 0 && (
      <a href={here.links({ tag: [slug], status: "archived" })}>Show {count(archived, "archived link")}</a>
    )}
  </p>
);

const MergeOrDelete = ({ tag, others }: { tag: UsedTag; others: readonly UsedTag[] }) => {
  const links = count(tag.active_links + tag.archived_links, "link");
  return (
    <Card id="ending" title="Merge or delete">
      {others.length > 0 && (
        <Dangerous
          summary="Merge this tag into another"
          consequence={`Whatever carries ${quoted(tag.name)} (${links}) gets the tag that you choose, once. Then ${quoted(tag.name)} is deleted. This cannot be undone.`}
          action={here.mergeTag(tag.id)}
          button="Merge the tags"
        >
          <Picker
            label="Tag that stays"
            name="into"
            none="Choose a tag"
            value=""
            options={toOptions(others)}
            required
          />
        </Dangerous>
      )}
      <Dangerous
        summary="Delete this tag"
        consequence={`${quoted(tag.name)} is removed from ${links} and deleted. The links stay, and go on redirecting. This cannot be undone.`}
        action={here.deleteTag(tag.id)}
        button="Delete the tag"
      />
    </Card>
  );
};

export async function showTag(c: PageContext): Promise<Response> {
  const { ctx, workspace, isEditor, problem } = c.var;
  const id = c.req.param("id");
  const shown = readRange(c, ctx.workspace.createdAt);
  if (problem === undefined) await applyBeforeReport(ctx);
  const chosen = readChosenOrigin(c);
  const [tags, report, links, ofOrigin] = await Promise.all([
    listUsedTags(ctx),
    chosen ? null : reportTagVisits(ctx, id, shown.range, { compare: shown.compare }),
    // They take a second call. A refused form has taken two already.
    problem === undefined && !chosen ? readTagLinks(ctx, id, shown.range) : undefined,
    chosen && reportOrigin(ctx, { tag: id }, shown.range, chosen, shown),
  ]);
  const tag = tags.find((one) => one.id === storedId(id));
  if (tag === undefined) throw notFound("Tag");
  const { name, slug, description } = tag;
  return c.render(
    <Page
      title={name}
      section="tags"
      crumbs={["tags"]}
      actions={
        <>
          <RangePicker shown={shown} />
          <ButtonLink
            to={href.links(workspace, { tag: [slug], status: "all" })}
            label={`See its ${count(tag.active_links + tag.archived_links, "link")}`}
          />
          {isEditor && <SendReport kind="tag" subject={tag.id} shown={shown} />}
        </>
      }
    >
      {description !== null && (
        <p class="soft">
          <bdi>{description}</bdi>
        </p>
      )}
      {ofOrigin ? (
        <OriginFigures report={ofOrigin} shown={shown} />
      ) : (
        <FiguresCard>
          {report === null ? (
            <>
              <p>–</p>
              <p class="warning">{TOO_MANY_FOR_TAGS}</p>
            </>
          ) : (
            <Figures report={report} shown={shown} />
          )}
        </FiguresCard>
      )}
      {report !== null && links !== undefined && (
        <section class="stack" aria-labelledby="links">
          <h2 id="links">Links</h2>
          {links.length > 0 && (
            <VisitedLinks
              caption="Links with this tag by clicks and scans"
              links={links}
              whole={visitsOf(report.totals)}
            />
          )}
          {tag.active_links === 0 && <Empty text="No active link has this tag." />}
          <InListOfLinks tag={tag} />
        </section>
      )}
      <div class="columns">
        <Card id="about" title="About">
          <EditForm action={href.tag(workspace, tag.id)} initial={initialFields(tag)}>
            <TagFields slugHint="If empty, it is made from the name again." />
          </EditForm>
        </Card>
        {isEditor && <MergeOrDelete tag={tag} others={tags.filter((one) => one !== tag)} />}
      </div>
    </Page>,
  );
}

export async function saveTag(c: PageContext, { fields }: Form): Promise<Response> {
  const input = checked(updateTagSchema, changedFields(withColour(fields)));
  const tag = await updateTag(c.var.ctx, c.req.param("id"), input);
  return redirectWithNotice(c, href.tags(c.var.workspace), `The tag ${quoted(tag.name)} is saved.`);
}

export async function mergeTag(c: PageContext, { fields }: Form): Promise<Response> {
  const tag = await mergeTags(c.var.ctx, c.req.param("id"), fields["into"] ?? "");
  const notice = `The tags are merged: their links carry ${quoted(tag.name)}.`;
  return redirectWithNotice(c, href.tag(c.var.workspace, tag.id), notice);
}

export async function removeTag(c: PageContext): Promise<Response> {
  await deleteTag(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.tags(c.var.workspace), "The tag is deleted. Its links remain.");
}
