import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPlatform } from "../../../src/operations/cli/platform";
import { cleanUp, jsonOf, openLocal, runMain, temporaryDirectory } from "./terminal";

let local: Awaited<ReturnType<typeof openLocal>>;

beforeAll(async () => {
  local = await openLocal();
});

afterAll(async () => {
  await local.dispose();
  cleanUp();
});

it("a file of JSON lines creates each link once, and every invalid line is listed", async () => {
  await local.json("workspace create --name Acme --slug acme");
  const file = join(temporaryDirectory(), "links.jsonl");
  writeFileSync(
    file,
    [
      '\uFEFF{"destination_url": " https://www.example.com/spring ", "slug": "spring", "title": "  "}',
      "",
      "destination_url,slug",
      '{"destination_url": "https://www.example.com/", "slug": "app"}',
      '["https://www.example.com/"]',
      '{"destination_url": "https://www.example.com/", "activity_group_id": "nowhere"}\r',
      '{"destination_url": "https://www.example.com/summer"}',
    ].join("\n"),
  );
  const command = ["import", "--workspace", "acme", "--from", file];
  const { import: result } = await local.json(...command);
  expect(result).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{26}$/),
    created: 2,
    existing: 0,
    refused: [
      { number: 3, errors: [{ field: "line", message: "The line must be a JSON object." }] },
      { number: 4, errors: [{ field: "slug", message: expect.stringContaining("app") }] },
      { number: 5, errors: [{ field: "line", message: "The line must be a JSON object." }] },
      { number: 6, errors: [expect.objectContaining({ field: "activity_group_id" })] },
    ],
  });
  expect((await local.json(...command)).import).toMatchObject({ created: 0, existing: 2 });
  expect((await local.json(...command, "--id", "another")).import.refused).toContainEqual({
    number: 1,
    errors: [{ field: "slug", message: "The slug has already been taken." }],
  });
});

/** Runs the command with a connection that is lost before or after its nth batch. */
async function importCutAt(argv: readonly string[], cutAt: number, when: "before" | "behind") {
  const { env, state } = local;
  let batches = 0;
  const batch = async (statements: D1PreparedStatement[]) => {
    const isCut = ++batches >= cutAt;
    if (isCut && (when === "before" || batches > cutAt)) throw new Error("the line went dead");
    const results = await env.DB.batch(statements);
    if (isCut) throw new Error("the line went dead");
    return results;
  };
  const DB = { batch } as unknown as D1Database;
  const outcome = await runMain([...argv, "--json"], () =>
    openPlatform({ remote: false, persistTo: state }, async () => ({
      env: { ...env, DB },
      dispose: async () => undefined,
    })),
  );
  return { outcome, batches };
}

it("an import interrupted at any batch continues when it is repeated, and reports the result of every row", async () => {
  const file = join(temporaryDirectory(), "many.jsonl");
  const lines = Array.from({ length: 60 }, (_, row) => ({
    destination_url: `https://www.example.com/${row}`,
    title: `row ${row}`,
  }));
  const bad = { destination_url: "https://www.example.com/", activity_group_id: "nowhere" };
  writeFileSync(file, [...lines, bad].map((line) => JSON.stringify(line)).join("\n"));
  let cuts = 0;
  for (const when of ["before", "behind"] as const) {
    let isCut = true;
    for (let cutAt = 1; isCut; cutAt++) {
      const workspace = `cut-${when}-${cutAt}`;
      await local.json(`workspace create --name ${workspace} --slug ${workspace}`);
      const argv = ["import", "--workspace", workspace, "--from", file];
      const { outcome } = await importCutAt(argv, cutAt, when);
      isCut = outcome.code !== 0;
      if (isCut) cuts++;
      const { import: result } = isCut ? await local.json(...argv) : jsonOf(outcome);
      expect(result.created + result.existing).toBe(lines.length);
      expect(result.refused).toEqual([
        { number: 61, errors: [expect.objectContaining({ field: "activity_group_id" })] },
      ]);
      const found = await local.env.DB.prepare(
        `select count(*) as links, count(distinct title) as titles,
          (select count(*) from slugs where slugs.workspace_id = workspaces.id) as slugs
          from workspaces join links on links.workspace_id = workspaces.id where workspaces.slug = ?`,
      )
        .bind(workspace)
        .first();
      expect(found).toEqual({ links: lines.length, titles: lines.length, slugs: lines.length });
    }
  }
  expect(cuts).toBeGreaterThan(5);
  expect(await local.json("doctor")).toMatchObject({ doctor: { repaired: [] } });
});

it("an import reports a file that it cannot read", async () => {
  await local.json("workspace create --name Beta --slug beta");
  const { code, err } = await local.admin("import --workspace beta --from /nowhere.jsonl");
  expect(code).toBe(1);
  expect(err).toContain("There is no file /nowhere.jsonl that can be read.");
});
