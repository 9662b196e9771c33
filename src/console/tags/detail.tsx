import type { Hono } from "hono";
import { tagNotFound } from "../../errors";
import { etagOf, parseEntityTags } from "../../lib/etag";
import { storedId } from "../../lib/ulid-text";
import { mergeTags } from "../../links/merge-tags";
import { type Tag, updateTagSchema } from "../../tags/schema";
import { listUsedTags, type UsedTag } from "../../tags/service";
import { deleteTag, updateTag } from "../../tags/update";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Dangerous, Select } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { count, quoted } from "../shell/text";
import { TagFields, type TagValues } from "./fields";
import { Swatch } from "./swatch";

/** The ETag of the public interface, which has no usage. */
const versionOf = ({ id, name, slug, colour, description }: UsedTag): Promise<string> =>
  etagOf({ id, name, slug, colour, description } satisfies Tag);

const Facts = ({ tag }: { tag: UsedTag }) => (
  <dl class="facts">
    <dt>Name</dt>
    <dd>{tag.name}</dd>
    <dt>Slug</dt>
    <dd>
      <code>{tag.slug}</code>
    </dd>
    <dt>Colour</dt>
    <dd>
      <Swatch colour={tag.colour} /> {tag.colour ?? "None"}
    </dd>
    <dt>Description</dt>
    <dd>{tag.description ?? "None"}</dd>
  </dl>
);

const MergeOrDelete = ({
  workspace,
  tag,
  others,
  problem,
}: {
  workspace: string;
  tag: UsedTag;
  others: readonly UsedTag[];
  problem: Problem | undefined;
}) => {
  const links = count(tag.active_links + tag.archived_links, "link");
  return (
    <section class="card" aria-labelledby="ending">
      <h2 id="ending">Merge or delete</h2>
      {others.length > 0 && (
        <Dangerous
          summary="Merge this tag into another"
          consequence={`Whatever carries ${quoted(tag.name)} (${links}) gets the tag that you choose, once. Then ${quoted(tag.name)} is deleted. This cannot be undone.`}
          action={href.mergeTag(workspace, tag.id)}
          button="Merge the tags"
          open={problem?.errors["into"] !== undefined}
        >
          <Select
            label="Tag that stays"
            name="into"
            none="Choose a tag"
            options={others.map(({ id, name }) => [id, name])}
            problem={problem}
            required
          />
        </Dangerous>
      )}
      <Dangerous
        summary="Delete this tag"
        consequence={`${quoted(tag.name)} is taken from ${links} and deleted. The links stay, and go on redirecting. This cannot be undone.`}
        action={href.deleteTag(workspace, tag.id)}
        button="Delete the tag"
      />
    </section>
  );
};

async function showTag(
  c: PageContext,
  id: string,
  { values, problem }: { values?: TagValues; problem?: Problem } = {},
): Promise<Response> {
  const { workspace, role } = c.var.membership;
  const tags = await listUsedTags(c.var.ctx);
  const tag = tags.find((one) => one.id === storedId(id));
  if (tag === undefined) throw tagNotFound();
  return showPage(
    c,
    {
      title: tag.name,
      section: "tags",
      ...(problem && { status: problem.status }),
      actions: (
        <>
          <a class="button" href={href.links(workspace.slug, { tag: [tag.slug], status: "all" })}>
            See its {count(tag.active_links + tag.archived_links, "link")}
          </a>
          <a href={href.tags(workspace.slug)}>All tags</a>
        </>
      ),
    },
    role === "viewer" ? (
      <section class="card" aria-label="The tag">
        <Facts tag={tag} />
      </section>
    ) : (
      <div class="columns">
        <section class="card" aria-labelledby="edit">
          <h2 id="edit">Edit</h2>
          <Refusal problem={problem} />
          {problem?.status === 412 && (
            <>
              <p>
                Somebody has changed it to this meanwhile. What you typed is below: save again to replace it.
              </p>
              <Facts tag={tag} />
            </>
          )}
          <form method="post" action={href.tag(workspace.slug, tag.id)} class="fields">
            <input type="hidden" name="version" value={await versionOf(tag)} />
            <TagFields values={values ?? tag} problem={problem} slugHint="Empty: made anew from the name." />
            <div class="row">
              <button type="submit" class="primary">
                Save
              </button>
            </div>
          </form>
        </section>
        <MergeOrDelete
          workspace={workspace.slug}
          tag={tag}
          others={tags.filter((one) => one !== tag)}
          problem={problem}
        />
      </div>
    ),
  );
}

export function registerTag(app: Hono<ConsoleEnv>): void {
  app.get(paths.tag, (c) => showTag(c, c.req.param("id")));

  app.post(paths.tag, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    try {
      const ctx = { ...c.var.ctx, ifMatch: parseEntityTags(fields["version"] ?? "") };
      const tag = await updateTag(ctx, id, checked(updateTagSchema, fields));
      return redirectWithNotice(
        c,
        href.tags(c.var.membership.workspace.slug),
        `The tag ${quoted(tag.name)} is saved.`,
      );
    } catch (error) {
      return showTag(c, id, { values: fields, problem: toProblem(error) });
    }
  });

  app.post(paths.mergeTag, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    try {
      const tag = await mergeTags(c.var.ctx, id, fields["into"] ?? "");
      return redirectWithNotice(
        c,
        href.tag(c.var.membership.workspace.slug, tag.id),
        `The tags are merged: their links carry ${quoted(tag.name)}.`,
      );
    } catch (error) {
      return showTag(c, id, { problem: toProblem(error) });
    }
  });

  app.post(paths.deleteTag, editorsOnly, async (c) => {
    await deleteTag(c.var.ctx, c.req.param("id"));
    return redirectWithNotice(
      c,
      href.tags(c.var.membership.workspace.slug),
      "The tag is deleted. Its links remain.",
    );
  });
}
