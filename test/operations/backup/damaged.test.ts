import { env } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../../../src/context";
import { restoreFrom } from "../../../src/operations/backup/restore";
import { serviceContext } from "../../harness";
import { interrupted } from "../../interruption";
import { backUpDuringChanges, furnishSource, OLD_KV, sourceOf } from "./backups";
import { contents, emptied, memoryKv } from "./database";

let file: string[];
beforeAll(async () => {
  file = (await backUpDuringChanges(await furnishSource())).lines;
});

/** Kinds of damage to a line. */
const DAMAGES: Readonly<Record<string, (lines: readonly string[], at: number) => string[]>> = {
  "cut off before a line": (lines, at) => lines.slice(0, at),
  "cut off within a line": (lines, at) => [
    ...lines.slice(0, at),
    lines[at]?.slice(0, -1 - (lines[at].length >> 1)) ?? "",
  ],
  "without a line": (lines, at) => lines.toSpliced(at, 1),
  "with a line twice": (lines, at) => lines.toSpliced(at, 0, lines[at] ?? ""),
  "with a line emptied": (lines, at) => lines.with(at, ""),
  "with a character altered": (lines, at) => {
    const line = lines[at] ?? "";
    const middle = line.length >> 1;
    return lines.with(
      at,
      `${line.slice(0, middle)}${line[middle] === "0" ? "1" : "0"}${line.slice(middle + 1)}`,
    );
  },
  "with two lines in the other order": (lines, at) =>
    at === 0 ? lines.toReversed() : lines.with(at, lines[at - 1] ?? "").with(at - 1, lines[at] ?? ""),
};

it.each(Object.keys(DAMAGES))(
  "a damaged backup %s, at every line, is refused before anything is read or written",
  async (damage) => {
    await emptied(env.RESTORED);
    const process = interrupted(env.RESTORED, memoryKv(OLD_KV).kv);
    const ctx: ServiceContext = { ...serviceContext(), ...process };
    const accepted: unknown[] = [];
    for (let at = 0; at < file.length; at++) {
      const damaged = DAMAGES[damage]?.(file, at) ?? [];
      if (damaged.join("\n") === file.join("\n")) continue;
      await restoreFrom(ctx, sourceOf(damaged)).then(
        () => accepted.push([at, file[at]]),
        (error) => expect(error).toMatchObject({ status: 422 }),
      );
    }
    expect(accepted).toEqual([]);
    expect(process.seen.calls).toBe(0);
    expect(await contents(env.RESTORED)).toEqual([]);
  },
);
