import type { Link, UpdateLink } from "../api/resources";
import type { Options } from "./args";
import { command } from "./command";
import { EXIT } from "./exit";
import { findGroup } from "./find-tag";
import { type TagChange, toTagChange } from "./link-input";
import { plural, print, printJson, say, startProgress } from "./output";
import { updateLink } from "./update-link";
import { UsageError } from "./usage-error";
import { writeMany } from "./write-many";

const OPTIONS = {
  from: { value: "GROUP", description: "The Activity Group that has the links: a slug or ID" },
  to: { value: "GROUP", description: "The Activity Group that gets them: a slug or ID" },
  tag: { value: "TAG", repeat: true, description: "Also add a tag: a name, slug or ID" },
  untag: { value: "TAG", repeat: true, description: "Also take a tag off" },
  status: {
    value: "STATUS",
    choices: ["active", "archived", "all"],
    description: "Only links of this status, active by default",
  },
} as const satisfies Options;

export const moveCommand = command({
  name: "move",
  summary: "Move all links of an Activity Group to another one",
  details:
    "Each link keeps its channel and an explicit utm_campaign. What is moved is printed by slug. A run that was\n" +
    "interrupted goes on where it ended: links that were moved are not in the first group any more.",
  options: OPTIONS,
  writes: true,
  examples: [
    "waymark move --from summer-2026 --to autumn-2026",
    "waymark move --from tonight --to archive --tag Past --untag Live --status all --dry-run",
  ],
  async run(context, args) {
    const [from, to] = [args.text("from"), args.text("to")];
    if (from === undefined || to === undefined) throw new UsageError("--from and --to are both needed.");
    const { client } = await context.connect();
    const [add, remove] = [args.texts("tag"), args.texts("untag")];
    const [source, target, tags] = await Promise.all([
      findGroup(client, from),
      findGroup(client, to),
      add.length + remove.length > 0 ? client.tags.list() : [],
    ]);
    if (source.id === target.id) throw new UsageError("--from and --to are the same Activity Group.");
    const change: TagChange = toTagChange(tags, add, remove);

    const progress = startProgress(context, (count) => `${plural(count, "link")} read`);
    const links: Link[] = [];
    const filter = { activity_group_id: source.id, status: (args.text("status") ?? "active") as Status };
    for await (const link of client.links.list(filter)) {
      links.push(link);
      progress.step();
    }
    progress.clear();

    if (context.dryRun) {
      const slugs = links.map(({ slug }) => slug);
      if (context.json)
        printJson(context, { dry_run: true, from: source.slug, to: target.slug, move: slugs });
      else for (const slug of slugs) print(context, `${slug}\n`);
      say(context, `Would move ${plural(links.length, "link")} from ${source.slug} to ${target.slug}.`);
      return EXIT.done;
    }
    const input: UpdateLink = { activity_group_id: target.id };
    return writeMany(context, links, {
      op: "update",
      noun: "link",
      verb: "moved",
      nameOf: ({ slug }) => slug,
      write: (link) =>
        updateLink(client, link, {
          input,
          tags: change,
          isStillWanted: (now) => now.activity_group?.id === source.id,
        }),
    });
  },
});

type Status = "active" | "archived" | "all";
