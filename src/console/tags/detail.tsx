import type { Hono } from "hono";
import { applyBeforeReport } from "../../analytics/queue";
import { reportTagVisits } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import { notFound } from "../../errors";
import { etagOf, parseEntityTags } from "../../lib/etag";
import { storedId } from "../../lib/ulid-text";
import { deleteTag, mergeTags } from "../../resources/links/remove-tag";
import { type Tag, updateTagSchema } from "../../resources/tags/schema";
import { listUsedTags, type UsedTag } from "../../resources/tags/service";
import { updateTag } from "../../resources/tags/update";
import { editorsOnly } from "../auth/permissions";
import { Figures } from "../clicks/figures";
import { RangePicker, readRange } from "../clicks/range";
import { TOO_MANY_FOR_TAGS } from "../clicks/too-many";
import { href, paths } from "../href";
import { UserText } from "../links/link-text";
import { paletteName } from "../shell/colour";
import { Dangerous, fieldsOf, Submit, type Values } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { here } from "../shell/page";
import { Picker } from "../shell/picker";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Swatch } from "../shell/swatch";
import { Card, count, Fact, quoted } from "../shell/text";
import { TagFields, withColour } from "./fields";
import { readTagLinks, TagLinks } from "./links";

/** The forms that merge or delete a tag. */
const MergeOrDelete = ({
  tag,
  others,
  problem,
}: {
  tag: UsedTag;
  others: readonly UsedTag[];
  problem: Problem | undefined;
}) => {
  const links = count(tag.active_links + tag.archived_links, "link");
  return (
    <Card id="ending" title="Merge or delete">
      {others.length > 0 && (
        <Dangerous
          summary="Merge this tag into another"
          consequence={`Whatever carries ${quoted(tag.name)} (${links}) gets the tag that you choose, once. Then ${quoted(tag.name)} is deleted. This cannot be undone.`}
          action={here.mergeTag(tag.id)}
          button="Merge the tags"
          open={problem?.errors["into"] !== undefined}
        >
          <Picker
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
        consequence={`${quoted(tag.name)} is removed from ${links} and deleted. The links stay, and go on redirecting. This cannot be undone.`}
        action={here.deleteTag(tag.id)}
        button="Delete the tag"
      />
    </Card>
  );
};

/** The ETag of the public interface, which has no usage. */
const versionOf = ({ id, name, slug, colour, description }: UsedTag): Promise<string> =>
  etagOf({ id, name, slug, colour, description } satisfies Tag);

const Properties = ({ tag }: { tag: UsedTag }) => (
  <dl class="facts">
    <Fact name="Name">{tag.name}</Fact>
    <Fact name="Slug">
      <code>{tag.slug}</code>
    </Fact>
    <Fact name="Colour">
      <Swatch colour={tag.colour} /> {paletteName(tag.colour) ?? tag.colour ?? "None"}
    </Fact>
    <Fact name="Description">{tag.description ?? "None"}</Fact>
  </dl>
);

/** The form of a tag. What was typed is kept if somebody else has changed the tag meanwhile. */
const EditTag = ({
  tag,
  version,
  values = { ...tag },
  problem,
}: {
  tag: UsedTag;
  version: string;
  values: Values | undefined;
  problem: Problem | undefined;
}) => (
  <Card id="edit" title="Edit">
    <Refusal problem={problem} />
    {problem?.status === 412 && (
      <>
        <p>Somebody has changed it to this meanwhile. What you typed is below: save again to replace it.</p>
        <Properties tag={tag} />
      </>
    )}
    <form method="post" action={here.tag(tag.id)} class="fields">
      <input type="hidden" name="version" value={version} />
      <TagFields own={fieldsOf(values, problem)} slugHint="Empty: made anew from the name." />
      <Submit label="Save" />
    </form>
  </Card>
);

async function showTag(
  c: PageContext,
  id: string,
  { values, problem }: { values?: Values; problem?: Problem } = {},
): Promise<Response> {
  const { ctx, workspace, isEditor } = c.var;
  const shown = readRange(c, ctx.workspace.createdAt, { comparesAtFirst: true });
  if (problem === undefined) await applyBeforeReport(ctx);
  const [tags, report, links] = await Promise.all([
    listUsedTags(ctx),
    reportTagVisits(ctx, id, shown.range, { compare: shown.compare }),
    // They take a second call. A refused form has taken two already.
    problem === undefined ? readTagLinks(ctx, id, shown.range) : undefined,
  ]);
  const tag = tags.find((one) => one.id === storedId(id));
  if (tag === undefined) throw notFound("Tag");
  return showPage(
    c,
    {
      title: tag.name,
      section: "tags",
      ...(problem && { status: problem.status }),
      crumbs: [{ label: "Tags", href: href.tags(workspace) }],
      actions: (
        <a class="button" href={href.links(workspace, { tag: [tag.slug], status: "all" })}>
          See its {count(tag.active_links + tag.archived_links, "link")}
        </a>
      ),
    },
    <>
      {tag.description !== null && (
        <p class="soft">
          <UserText text={tag.description} />
        </p>
      )}
      <section class="card" aria-labelledby="figures">
        <h2 id="figures" class="unseen">
          Clicks and scans
        </h2>
        <RangePicker shown={shown} to={(range) => href.tag(workspace, tag.id, range)} />
        {report === null ? (
          <>
            <p>–</p>
            <p class="warning">{TOO_MANY_FOR_TAGS}</p>
          </>
        ) : (
          <Figures report={report} shown={shown} />
        )}
      </section>
      {links !== undefined && <TagLinks tag={tag} links={links} whole={report && visitsOf(report.totals)} />}
      {!isEditor ? (
        <section class="card" aria-label="The tag">
          <Properties tag={tag} />
        </section>
      ) : (
        <div class="columns">
          <EditTag tag={tag} version={await versionOf(tag)} values={values} problem={problem} />
          <MergeOrDelete tag={tag} others={tags.filter((one) => one !== tag)} problem={problem} />
        </div>
      )}
    </>,
  );
}

export function registerTag(app: Hono<ConsoleEnv>): void {
  app.get(paths.tag, (c) => showTag(c, c.req.param("id")));

  app.post(paths.tag, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    try {
      const ctx = { ...c.var.ctx, ifMatch: parseEntityTags(fields["version"] ?? "") };
      const tag = await updateTag(ctx, id, checked(updateTagSchema, withColour(fields)));
      return redirectWithNotice(c, href.tags(c.var.workspace), `The tag ${quoted(tag.name)} is saved.`);
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
        href.tag(c.var.workspace, tag.id),
        `The tags are merged: their links carry ${quoted(tag.name)}.`,
      );
    } catch (error) {
      return showTag(c, id, { problem: toProblem(error) });
    }
  });

  app.post(paths.deleteTag, editorsOnly, async (c) => {
    await deleteTag(c.var.ctx, c.req.param("id"));
    return redirectWithNotice(c, href.tags(c.var.workspace), "The tag is deleted. Its links remain.");
  });
}
