import { readFileSync } from "node:fs";
import { join } from "node:path";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { listMigrations, MIGRATIONS, SNAPSHOT, toMigrationName } from "../../src/cli/migrations";
import { makeMigration } from "../../src/db/migration";
import { findBreaking } from "./additive";

const textOf = (name: string): string => readFileSync(join(MIGRATIONS, name), "utf8");

it("the migrations make the schema, so that `npm run migration` has nothing to add", async () => {
  const kept = JSON.parse(readFileSync(SNAPSHOT, "utf8"));
  const { text, snapshot } = await makeMigration(kept);
  expect(text).toBe("");
  expect(kept).toEqual(snapshot);
  // A later schema is compared with the database alone, in `migrations.test.ts`.
  const [first = "", ...more] = listMigrations();
  if (more.length === 0) expect(textOf(first)).toBe((await makeMigration(undefined)).text);
});

it("each migration is as it was made, since its name has the start of its SHA-256", () => {
  for (const [index, name] of listMigrations().entries()) {
    const label = name.slice("0000_".length, -"_12345678.sql".length);
    expect(name).toBe(toMigrationName(index, label, textOf(name)));
  }
});

it("all migrations after the first only add", () => {
  for (const name of listMigrations().slice(1)) expect(findBreaking(textOf(name)), name).toEqual([]);
});

it("a changed migration has a wrong name", () => {
  expect(toMigrationName(1, "colours", "a")).toBe("0001_colours_ca978112.sql");
  expect(toMigrationName(1, "colours", "b")).not.toBe(toMigrationName(1, "colours", "a"));
});

const ADDED = [
  "ALTER TABLE `links` ADD `colour` text;",
  "ALTER TABLE `links` ADD COLUMN colour text DEFAULT 'not null; drop table links' NOT NULL;",
  "ALTER TABLE `links` ADD `count` integer DEFAULT 0 NOT NULL;\n--> statement-breakpoint\nCREATE INDEX `links_count` ON `links` (`count`);",
  "ALTER TABLE `links` ADD `length` integer GENERATED ALWAYS AS (length(slug)) VIRTUAL;",
  "CREATE TABLE `things` (\n\t`id` integer PRIMARY KEY NOT NULL,\n\t`name` text NOT NULL\n);\n--> statement-breakpoint\nCREATE UNIQUE INDEX `things_name` ON `things` (`name`);",
  "-- DROP TABLE links;\n/* DROP TABLE\nlinks; */",
];

it.each(ADDED)("an additive migration passes: %s", (migration) => {
  expect(findBreaking(migration)).toEqual([]);
});

const BREAKING = [
  "DROP TABLE `links`;",
  "drop index links_slug;",
  "ALTER TABLE `links` DROP COLUMN `title`;",
  "ALTER TABLE `links` RENAME COLUMN `title` TO `name`;",
  "ALTER TABLE `links` RENAME TO `urls`;",
  "ALTER TABLE `links` ADD `colour` text NOT NULL;",
  "ALTER TABLE `links` ADD `colour` text NOT NULL DEFAULT NULL;",
  "ALTER TABLE `links` ADD `colour` text NOT NULL CHECK (colour <> ' default ');",
  "CREATE UNIQUE INDEX `links_title` ON `links` (`title`);",
  "CREATE TABLE `copies` AS SELECT * FROM `links`;",
  "CREATE TABLE IF NOT EXISTS `links` (`id` integer);",
  "CREATE VIRTUAL TABLE `words` USING fts5(word);",
  "CREATE TRIGGER `count` AFTER INSERT ON `links` BEGIN SELECT 1; END;",
  "CREATE VIEW `active` AS SELECT * FROM `links`;",
  "PRAGMA foreign_keys=OFF;",
  "UPDATE `links` SET title = null;",
  "INSERT INTO `tags` (`id`) VALUES (1);",
  "DELETE FROM `links`;",
  "ALTER TABLE `links` ADD `colour` text; DROP TABLE `tags`;",
  "/* ; */ CREATE INDEX `a` ON `links` (`title`) --\n; DROP INDEX `a`",
];

it.each(BREAKING)("a migration that breaks the release before is found: %s", (migration) => {
  expect(findBreaking(migration).length).toBeGreaterThan(0);
});

const before = { things: sqliteTable("things", { id: integer().primaryKey(), name: text() }) };

it("drizzle-kit's own migrations are told apart", async () => {
  const { snapshot } = await makeMigration(undefined, before);
  const to = async (things: Record<string, unknown>) =>
    findBreaking((await makeMigration(snapshot, things)).text).length > 0;
  const [id, name] = [integer().primaryKey(), text()];
  expect(
    await to({ things: sqliteTable("things", { id, name, more: integer().notNull().default(0) }) }),
  ).toBe(false);
  expect(await to({ ...before, others: sqliteTable("others", { id, name }) })).toBe(false);
  expect(await to({ things: sqliteTable("things", { id }) })).toBe(true);
  expect(await to({ things: sqliteTable("things", { id, name: text().notNull() }) })).toBe(true);
  expect(await to({})).toBe(true);
});
