import { expect, it } from "vitest";
import { insertAuditRows } from "../../../src/db/audit";
import { MAX_LINKS_PER_COMMIT } from "../../../src/resources/links/bulk-change";
import { toAuditEntries } from "../../../src/resources/links/write/audit-entries";
import { writeRows } from "../../../src/resources/links/write/link-rows";
import { row } from "../../resources/links/write/links";

it("the longest links that change together take at most 30 statements for their rows and entries", () => {
  // Folded for search, these characters become eighteen or eleven times as many.
  const was = {
    ...row(),
    destination_url: `https://www.example.com/${"ﷺ".repeat(2_024)}`,
    ended_url: `https://www.example.com/${"ﷺ".repeat(2_024)}`,
    title: "ﷺ".repeat(255),
  };
  const changes = Array.from({ length: MAX_LINKS_PER_COMMIT }, (_, index) => ({
    was: { ...was, id: index + 1 },
    will: { ...was, version: 2, archived_at: 1 },
    input: { status: "archived" },
  }));
  const entries = toAuditEntries(changes, { action: "link.update" }, { workspaceId: 1, actor: "a", at: 1 });
  expect(writeRows(1, changes).length + insertAuditRows(entries).length).toBeLessThanOrEqual(30);
});
