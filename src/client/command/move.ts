import { gather } from "../api/pages";
import { Refusal } from "../exit";
import { plural } from "../file/format-file";
import { assertNotOwned, findGroup } from "../find-links";
import { LINK_STATUSES } from "../link-inputs";
import { command } from "./command-type";
import { bodyOf, readTagChange, updateLink } from "./link-edit-commands";
import { FORCE_OPTION } from "./link-fields";
import { counted, printResult } from "./output";
import { writeMany } from "./write-many";

export const moveCommand = command({
  name: "move",
  summary: "Move all links of an Activity Group to another one",
  details:
    "Each link keeps its channel and an explicit utm_campaign. What is moved is printed by slug. A run that was\n" +
    "interrupted goes on where it ended: links that were moved are not in the first group any more.",
  options: {
    from: { value: "GROUP", description: "The Activity Group that has the links: a slug or ID" },
    to: { value: "GROUP", description: "The Activity Group that gets them: a slug or ID" },
    tag: { value: "TAG", repeat: true, description: "Also add a tag: a name, slug or ID" },
    untag: { value: "TAG", repeat: true, description: "Also take a tag off" },
    status: {
      value: "STATUS",
      choices: LINK_STATUSES,
      description: "Only links of this status, active by default",
    },
    ...FORCE_OPTION,
  },
  writes: true,
  examples: [
    "waymark move --from summer-2026 --to autumn-2026",
    "waymark move --from tonight --to archive --tag Past --untag Live --status all --dry-run",
  ],
  async run(context, { from, to, tag, untag, status = "active", force }) {
    if (from === undefined || to === undefined) throw new Refusal("--from and --to are both needed.");
    const { client } = context.connect();
    const [source, target, tags] = await Promise.all([
      findGroup(client, from),
      findGroup(client, to),
      readTagChange(client, tag, untag),
    ]);
    if (source.id === target.id) throw new Refusal("--from and --to are the same Activity Group.");
    const input = { activity_group_id: target.id };
    const found = client.links.list({ activity_group_id: source.id, status });
    const links = await gather(counted(context, found, "link"));
    for (const link of force ? [] : links) assertNotOwned(link);
    if (context.dryRun) {
      const slugs = links.map(({ slug }) => slug);
      const sentence = `Would move ${plural(links.length, "link")} from ${source.slug} to ${target.slug}.`;
      return printResult(context, { from: source.slug, to: target.slug, move: slugs }, slugs, sentence);
    }
    return writeMany(context, links, {
      op: "update",
      noun: "link",
      verb: "moved",
      nameOf: ({ slug }) => slug,
      // Somebody else may move it elsewhere meanwhile.
      write: (link) =>
        updateLink(client, link, (now) =>
          now.activity_group?.id === source.id ? bodyOf(now, input, tags) : {},
        ),
    });
  },
});
