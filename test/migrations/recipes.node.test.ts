import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { SNAPSHOT } from "../../src/cli/migrations";
import { makeMigration } from "../../src/db/migration";
import { findBreaking } from "./additive";

// What `src/README.md` says to do for a new alert, field or table, done to the files of the schema: the migration that
// comes of it must be one that a minor release may have.

const SCHEMA = resolve("src/db/schema");

interface Change {
  /** A file of the schema. */
  file: string;
  from: string;
  to: string;
}

/** The tables of the schema after these changes of its files. */
async function changedSchema(changes: readonly Change[]): Promise<Record<string, unknown>> {
  const outfile = join(mkdtempSync(join(tmpdir(), "waymark-schema-")), "schema.mjs");
  const files = new Map(
    changes.map(({ file }) => [join(SCHEMA, file), readFileSync(join(SCHEMA, file), "utf8")]),
  );
  for (const { file, from, to } of changes) {
    const path = join(SCHEMA, file);
    const text = files.get(path) ?? "";
    expect(text, `${file} has ${from}`).toContain(from);
    files.set(path, text.replace(from, to));
  }
  await build({
    ...({ entryPoints: [join(SCHEMA, "all.ts")], outfile, bundle: true } as const),
    ...({ format: "esm", platform: "node", logLevel: "silent" } as const),
    plugins: [
      {
        name: "changed",
        setup: ({ onLoad }) =>
          onLoad({ filter: /src[\\/]db[\\/]schema/ }, ({ path }) => {
            const contents = files.get(path);
            return contents === undefined ? undefined : { contents, loader: "ts" };
          }),
      },
    ],
  });
  return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)).schema;
}

async function migrationOf(...changes: Change[]): Promise<string> {
  const snapshot = JSON.parse(readFileSync(SNAPSHOT, "utf8"));
  return (await makeMigration(snapshot, await changedSchema(changes))).text;
}

/** A value more in a list of the schema. */
const LISTS: readonly Change[] = [
  { file: "alerts.ts", from: '"test",', to: '"test", "later",' },
  { file: "engagement.ts", from: '"flyer",', to: '"flyer", "later",' },
  { file: "engagement.ts", from: '"retired"', to: '"retired", "later"' },
  { file: "access.ts", from: '"viewer"', to: '"viewer", "later"' },
  { file: "access.ts", from: '"full"', to: '"full", "later"' },
  { file: "analytics.ts", from: '"asset"]', to: '"asset", "later"]' },
  { file: "domains.ts", from: '"verified"', to: '"verified", "later"' },
  { file: "reports.ts", from: '"overview"', to: '"overview", "later"' },
  { file: "links.ts", from: '["tag",', to: '["tag", "later",' },
  { file: "links.ts", from: '["primary"', to: '["primary", "later"' },
];

it.each(LISTS)("another value in a list of $file needs no migration: $to", async (change) => {
  expect(await migrationOf(change)).toBe("");
});

it("a field of a link is an additive migration", async () => {
  const column = {
    file: "links.ts",
    from: "    title_key: text(),\n",
    to: "    title_key: text(),\n    season: text(),\n",
  };
  const text = await migrationOf(column);
  expect(text).toBe("ALTER TABLE `links` ADD `season` text;\n");
  expect(findBreaking(text)).toEqual([]);
});

it("a table is an additive migration", async () => {
  const text = await migrationOf({
    file: "views.ts",
    from: "/** ",
    to: `export const seasons = sqliteTable("seasons", { ...ownColumns(), name: text().notNull() }, (table) => [
      uniqueIndex("seasons_name").on(table.workspace_id, table.name),
    ]);\n\n/** `,
  });
  expect(text).toContain("CREATE TABLE `seasons`");
  expect(findBreaking(text)).toEqual([]);
});
