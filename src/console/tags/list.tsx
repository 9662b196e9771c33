import type { Hono } from "hono";
import { MAX_TAGS } from "../../errors";
import { createTag } from "../../tags/create";
import { createTagSchema } from "../../tags/schema";
import { listUsedTags, type UsedTag } from "../../tags/service";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { count, Empty, number, quoted } from "../shell/text";
import { TagFields, type TagValues } from "./fields";
import { Swatch } from "./swatch";

/** A colour up to this length is not wrapped. */
const MAX_UNWRAPPED_CHARACTERS = 16;

const countLinks = ({ active_links: active, archived_links: archived }: UsedTag): number => active + archived;

const TagRow = ({ tag, workspace }: { tag: UsedTag; workspace: string }) => (
  <tr>
    <th scope="row">
      <a href={href.tag(workspace, tag.id)}>{tag.name}</a>
      <br />
      <code class="soft">{tag.slug}</code>
    </th>
    <td data-label="Colour">
      {tag.colour === null ? (
        <span class="soft">None</span>
      ) : (
        <span class={tag.colour.length > MAX_UNWRAPPED_CHARACTERS ? undefined : "nowrap"}>
          <Swatch colour={tag.colour} /> {tag.colour}
        </span>
      )}
    </td>
    <td data-label="Links" class="number">
      {countLinks(tag) === 0 ? (
        "0"
      ) : (
        <a
          href={href.links(workspace, { tag: [tag.slug], status: "all" })}
          aria-label={`${count(countLinks(tag), "link")} with ${tag.name}`}
        >
          {number(countLinks(tag))}
        </a>
      )}
      {tag.archived_links > 0 && <span class="soft small"> ({number(tag.archived_links)} archived)</span>}
    </td>
    <td data-label={tag.description === null ? undefined : "Description"}>{tag.description}</td>
  </tr>
);

async function showTags(
  c: PageContext,
  { values = {}, problem }: { values?: TagValues; problem?: Problem } = {},
): Promise<Response> {
  const { slug } = c.var.membership.workspace;
  const tags = await listUsedTags(c.var.ctx);
  const isEditor = c.var.membership.role !== "viewer";
  return showPage(
    c,
    { title: "Tags", section: "tags", ...(problem && { status: problem.status }) },
    <div class={isEditor ? "columns" : "stack"}>
      <div class="stack">
        {tags.length === 0 ? (
          <Empty>
            <p>A tag marks links that belong together, such as those of a sale or of a partner.</p>
            <p>
              {isEditor ? "Create the first one here, then put it on links." : "Nobody has made one yet."}
            </p>
          </Empty>
        ) : (
          <>
            <p class="soft">
              {number(tags.length)} of at most {number(MAX_TAGS)} tags
            </p>
            <table class="list">
              <caption class="unseen">Tags by name</caption>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Colour</th>
                  <th scope="col" class="number">
                    Links
                  </th>
                  <th scope="col">Description</th>
                </tr>
              </thead>
              <tbody>
                {tags.map((tag) => (
                  <TagRow tag={tag} workspace={slug} />
                ))}
              </tbody>
            </table>
          </>
        )}
      </div>
      {isEditor && (
        <section class="card" aria-labelledby="new-tag">
          <h2 id="new-tag">Create a tag</h2>
          <Refusal problem={problem} />
          <form method="post" action={href.tags(slug)} class="fields">
            <TagFields values={values} problem={problem} slugHint="Empty: made from the name." />
            <button type="submit" class="primary">
              Create tag
            </button>
          </form>
        </section>
      )}
    </div>,
  );
}

export function registerTagList(app: Hono<ConsoleEnv>): void {
  app.get(paths.tags, (c) => showTags(c));

  app.post(paths.tags, editorsOnly, async (c) => {
    const { fields } = await readForm(c);
    try {
      const tag = await createTag(c.var.ctx, checked(createTagSchema, fields));
      return redirectWithNotice(
        c,
        href.tags(c.var.membership.workspace.slug),
        `The tag ${quoted(tag.name)} is created.`,
      );
    } catch (error) {
      return showTags(c, { values: fields, problem: toProblem(error) });
    }
  });
}
