import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { IMPORT_FIELDS } from "../../../src/lib/import-columns";
import { checkFile } from "../../../src/resources/imports/check-file";
import { getImport } from "../../../src/resources/imports/import-service";
import { makeWorkspace } from "../../harness";

async function check(ctx: Awaited<ReturnType<typeof makeWorkspace>>["ctx"], lines: readonly string[]) {
  const bytes = new TextEncoder().encode(lines.join("\n"));
  const checked = await checkFile(ctx, { name: "links.csv", bytes });
  if (!("id" in checked)) throw new Error("It was imported before");
  return checked;
}

it("the names of the columns, which are stored too, count for the megabytes of a workspace", async () => {
  const { ctx } = await makeWorkspace();
  const { id } = await check(ctx, [`url,${"x".repeat(290_000)}`, "https://www.example.com/"]);
  const stored = await env.DB.prepare("select bytes from imports where public_id = ?")
    .bind(id)
    .first("bytes");
  expect(stored).toBeGreaterThan(290_000);
});

it("a row whose cells are too long together is refused, and stored with the beginning of each", async () => {
  const { ctx } = await makeWorkspace();
  const others = ["short_url", "archived", "customBackhalf", "customLink", "customBitlink", "customBitlinks"];
  const heading = [...IMPORT_FIELDS, ...others];
  const cells = heading.map(() => "\\".repeat(19_900));
  const { id, refused } = await check(ctx, [heading.join(), cells.join()]);
  expect(refused).toBe(1);
  const { items } = await getImport(ctx, id ?? "", { show: "all", page: 1 });
  expect(items[0]?.errors).toMatchObject([{ field: "row", code: "too_long" }]);
  expect(items[0]?.cells.title).toHaveLength(200);
});
