import { expect, it } from "vitest";
import security from "../../SECURITY.md?raw";
import reference from "../../src/docs/reference.md?raw";
import { TABLES } from "../../src/operations/backup/backup-tables";
import { document } from "../interface/document";

interface Described {
  get: { parameters?: { name: string; in: string }[] };
}

it.each([
  ["listLinks", "/api/v1/links"],
  ["getLinkQr", "/api/v1/links/{id}/qr"],
])("the reference has every parameter of %s", (operation, path) => {
  const { parameters = [] } = (document.paths[path] as unknown as Described).get;
  const asked = parameters.filter((one) => one.in === "query").map(({ name }) => name);
  expect(asked.length).toBeGreaterThan(4);
  const [, table = ""] = reference.split(`| Parameter of \`${operation}\` | Values |`);
  const rows = Array.from(
    table.split("\n\n")[0]?.matchAll(/^\| (`[^|]*) \|/gm) ?? [],
    ([, cell = ""]) => cell,
  );
  expect(rows.flatMap((cell) => cell.replaceAll("`", "").split(", ")).sort()).toEqual(asked.sort());
});

it("the reference says whose an Idempotency-Key is, and the limits by address", () => {
  const text = reference.replaceAll(/\s+/g, " ");
  expect(text).toContain("belongs to the API key that sent it, not to the workspace");
  expect(text).toContain("| Failed authentications a minute from an address | 300 |");
  expect(text).toContain("| Unknown short links a minute from an address | 300 |");
});

it("SECURITY says of the readable addresses that backups have", () => {
  expect([TABLES.reports.without, TABLES.members.without]).toEqual([{}, {}]);
  const [, part = ""] = security.split("**Backups**");
  const text = (part.split("\n\n")[0] ?? "").replaceAll(/\s+/g, " ");
  expect(text).toContain("the addresses of shared reports as they are");
  expect(text).toContain("the links that stop their weekly reports");
});
