import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toDoctorText } from "../../../src/operations/cli/doctor-text";
import { ROOT } from "./terminal";

const finding = (kept: string) => ({ workspace: "acme", kept, of: "x", is: 2, should_be: 1 });

it("the doctor says what it checked if nothing is wrong", () => {
  expect(toDoctorText({ workspaces: 2, repaired: [] })).toBe(
    `Checked in 2 workspaces:
  numbers of links, tags and slugs               all right
  numbers of links of tags, groups and channels  all right
  lists of links by tag                          all right
  workspaces of counted clicks and scans         all right
  clicks that waited for more than ten minutes   none

Nothing had to be repaired.
`,
  );
});

it("the doctor says how much it repaired of each kind, and lists it", () => {
  const waiting = { packs: 2, visits: 5, oldest_at: "2026-05-01T11:45:00.000Z", left: 0 };
  const text = toDoctorText({
    workspaces: 1,
    repaired: [finding("tags"), finding("slugs"), finding("links of a tag")],
    waiting_clicks: waiting,
  });
  expect(text).toContain("Checked in 1 workspace:\n");
  expect(text).toMatch(/^ {2}numbers of links, tags and slugs +2 repaired$/m);
  expect(text).toMatch(/^ {2}numbers of links of tags, groups and channels +1 repaired$/m);
  expect(text).toMatch(/ 5 in 2 packs since 2026-05-01T11:45:00\.000Z, counted now$/m);
  expect(text).toMatch(/\n\nRepaired:\n\nworkspace +kept +of +is +should be\nacme +tags +x +2 +1\n/);
  expect(toDoctorText({ workspaces: 1, repaired: [], waiting_clicks: { ...waiting, left: 1 } })).toContain(
    ", 1 of 2 packs left",
  );
});

it("every kind of finding belongs to a check", () => {
  const statements = ["src/operations/consistency/statements.ts", "src/analytics/retention-repository.ts"]
    .map((path) => readFileSync(join(ROOT, path), "utf8"))
    .join("\n");
  const kinds = Array.from(
    statements.matchAll(
      /(?:select|union all select) '([a-z ]+)'(?: \|\| kind)?(?: as kept|, slug|, count)|\[visit\w+, "([a-z ]+)"\]/g,
    ),
    ([, inSql, inList]) => inSql ?? inList ?? "",
  ).flatMap((kept) =>
    kept.endsWith(" a ") ? ["tag", "group", "channel"].map((kind) => kept + kind) : [kept],
  );
  expect(kinds).toHaveLength(10);
  for (const kept of kinds) {
    expect(toDoctorText({ workspaces: 1, repaired: [finding(kept)] }), kept).toContain("  1 repaired\n");
  }
});
