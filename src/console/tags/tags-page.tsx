import { applyBeforeReport } from "../../analytics/queue";
import { sumVisitsOfTags } from "../../analytics/visits-by-owner";
import { pageOf } from "../../lib/paging";
import { fold } from "../../lib/slug-text";
import { createTagSchema } from "../../resources/tags/tag-schema";
import { createTag, listUsedTags, MAX_TAGS, type UsedTag } from "../../resources/tags/tag-service";
import { rangeName } from "../clicks/dates";
import { RangePicker, rangeParameters, readRange } from "../clicks/range";
import { ShareBar } from "../clicks/shares";
import { EarlierZones, TOO_MANY_FOR_TAGS } from "../clicks/visit-figures";
import { TagName } from "../shell/colour";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { ListSearch, listQuery, Pager } from "../shell/list-controls";
import { checked, type Form, type PageContext, readQuery } from "../shell/page-request";
import { PostForm, Submit } from "../shell/post-form";
import { Table } from "../shell/table";
import { count, Empty, number, quoted } from "../shell/text";
import { TagFields, withColour } from "./tag-fields";

const Links = ({ tag: { name, slug, active_links, archived_links: archived } }: { tag: UsedTag }) => {
  const links = active_links + archived;
  if (links === 0) return "0";
  const to = here.links({ tag: [slug], status: "all" });
  return (
    <>
      <a href={to} aria-label={`${count(links, "link")} with ${name}`}>
        {number(links)}
      </a>
      {archived > 0 && <span class="soft small"> ({number(archived)} archived)</span>}
    </>
  );
};

const TAGS_PER_PAGE = 50;

const hasText = (folded: string, { name, slug, description }: UsedTag): boolean =>
  [name, slug, description ?? ""].some((one) => fold(one).includes(folded));

export async function showTags(c: PageContext): Promise<Response> {
  const { ctx, workspace: slug, isEditor, problem } = c.var;
  const { q, page: asked } = readQuery(listQuery, c);
  const shown = readRange(c, ctx.workspace.createdAt, { compares: false });
  await applyBeforeReport(ctx);
  // Null if they are not counted.
  const [tags, visits] = await Promise.all([listUsedTags(ctx), sumVisitsOfTags(ctx, shown.range)]);
  const found = q === "" ? tags : tags.filter((tag) => hasText(fold(q), tag));
  const { items, meta } = pageOf(found, asked, TAGS_PER_PAGE);
  return c.render(
    <Page
      title="Tags"
      section="tags"
      actions={tags.length > 0 && <RangePicker shown={shown} />}
      class="stack"
    >
      <div class="search">
        {tags.length > 0 && <ListSearch label="Search tags" q={q} />}
        {isEditor && (
          <details class="panel" open={problem !== undefined || tags.length === 0}>
            <summary class="button primary">New tag</summary>
            <div class="card narrow">
              <PostForm action={href.tags(slug)} class="fields">
                <TagFields slugHint="If empty, it is made from the name." />
                <Submit label="Create tag" />
              </PostForm>
            </div>
          </details>
        )}
      </div>
      {tags.length === 0 ? (
        <Empty text="A tag marks links that belong together, such as those of a sale or of a partner.">
          <p>{isEditor ? "Create the first one here, then put it on links." : "There are none yet."}</p>
        </Empty>
      ) : (
        <>
          <Table
            layout="shares"
            caption="Tags by name"
            empty="No tags match."
            rows={items}
            columns={[
              {
                heading: "Name",
                isName: true,
                cell: (tag) => (
                  <>
                    <a href={href.tag(slug, tag.id, rangeParameters(shown))}>
                      <TagName tag={tag} />
                    </a>{" "}
                    <code class="soft">{tag.slug}</code>
                    {tag.description !== null && (
                      <div class="soft small">
                        <bdi>{tag.description}</bdi>
                      </div>
                    )}
                  </>
                ),
              },
              { heading: "Links", kind: "number", cell: (tag) => <Links tag={tag} /> },
              {
                heading: (
                  <>
                    Visits<span class="unseen">: {rangeName(shown.range)}</span>
                  </>
                ),
                label: "Visits",
                kind: "number",
                cell: ({ id }) =>
                  visits === null ? (
                    "–"
                  ) : (
                    <>
                      {number(visits.get(id) ?? 0)}
                      <ShareBar value={visits.get(id) ?? 0} whole={Math.max(0, ...visits.values())} />
                    </>
                  ),
              },
            ]}
          />
          {visits === null ? (
            <p class="hint">{TOO_MANY_FOR_TAGS}</p>
          ) : (
            <EarlierZones ranges={[shown.range]} />
          )}
          <Pager
            meta={meta}
            of={`tag, of at most ${number(MAX_TAGS)}`}
            many={`tags, of at most ${number(MAX_TAGS)}`}
          />
        </>
      )}
    </Page>,
  );
}

export async function makeTag(c: PageContext, { fields }: Form): Promise<Response> {
  const tag = await createTag(c.var.ctx, checked(createTagSchema, withColour(fields)));
  return redirectWithNotice(c, href.tags(c.var.workspace), `The tag ${quoted(tag.name)} is created.`);
}
