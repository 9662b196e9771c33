import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "./terminal";

const [, DOCUMENT = ""] =
  /\n## The platform's limits\n(.*?)\n## Calls of D1\n/s.exec(
    readFileSync(join(ROOT, "src/docs/limits.md"), "utf8"),
  ) ?? [];

/** The cells of the tables' rows, without headings. */
const rows = DOCUMENT.split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter(([limit]) => limit !== "Limit");

/** The places in the last cell, each a file and a name in it. */
const places = rows.flatMap(([, , , , keptBy = ""]) =>
  keptBy.split("; ").flatMap((place) => {
    const [, file = "", names = ""] = /^`([\w./-]+)`: (.*)$/.exec(place) ?? [];
    return Array.from(names.matchAll(/`(\w+)`/g), ([, name = ""]): [string, string] => [file, name]);
  }),
);

describe("the table of the platform's limits", () => {
  it("has five cells in every row, and the last says what keeps the limit", () => {
    const kept = /^(?:`[\w./-]+`: `\w+`(?:, `\w+`)*(?:; (?!$)|$))+$|^(?:nothing of ours|below|"[\w ]+")$/;
    const wrong = rows.filter(
      (cells) => cells.length !== 5 || cells.includes("") || !kept.test(cells[4] ?? ""),
    );
    expect(wrong).toEqual([]);
  });

  it("names what is in the files", () => {
    const missing = places.filter(([file, name]) => {
      const definition = file.endsWith(".toml")
        ? new RegExp(`^\\[*${name}(?:\\]| =)`, "m")
        : new RegExp(
            `^ *(?:export )?(?:default )?(?:async )?(?:const |function )?${name}\\b(?: =|: |\\()`,
            "m",
          );
      return !definition.test(readFileSync(join(ROOT, file), "utf8"));
    });
    expect(places.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  it("says where D1 statements, KV writes and time after the response are limited", () => {
    const limits = rows.map(([limit]) => limit);
    for (const limit of [
      "Writes of a key",
      "Bound parameters of a query",
      "`waitUntil` after the answer",
      "Text, blob or row",
    ]) {
      expect(limits).toContain(limit);
    }
  });
});
