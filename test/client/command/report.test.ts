import { afterAll, expect, it } from "vitest";
import { fakeService } from "../fake-service";
import { REPORT, REPORT_URL, reportService } from "../report";
import { cleanUp, shell } from "./setup";

afterAll(cleanUp);

/** A shell in which nothing but reports can be read. */
function reader(env: Record<string, string> = {}) {
  const reports = reportService();
  const { runUnder } = shell({ ...fakeService(), fetch: reports.fetch });
  const none = { WAYMARK_URL: undefined, WAYMARK_KEY: undefined };
  const run = (isTerminal: boolean, ...argv: string[]) =>
    runUnder({ env: { ...none, ...env }, isTerminal }, "report", ...argv);
  return { ...reports, run };
}

it("prints a table of a report by its address alone, and the whole report as JSON", async () => {
  const { run } = reader();
  const heading = "Summer fair, 2026-10-17 to 2026-10-18, Europe/Zurich: 7 visits.\n";
  expect(await run(false, REPORT_URL)).toEqual({
    code: 0,
    out: "2026-10-17\t2\t3\n2026-10-18\t1\t1\n",
    err: heading,
  });
  expect(await run(true, `${REPORT_URL}.csv`, "--part", "posters")).toMatchObject({
    code: 0,
    out: "NAME      PLACE    SCANS\nPoster 1  Station  3\nPoster 3           1\n",
  });
  expect((await run(false, REPORT_URL, "--part", "links")).out).toBe(
    "https://go.example.com/summer\t\t3\t4\n",
  );
  const { code, out, err } = await run(false, REPORT_URL, "--json");
  expect([code, JSON.parse(out), err]).toEqual([0, REPORT, ""]);
});

it("sends no key to the host of a report, whatever it is", async () => {
  const { run, asked } = reader({ WAYMARK_URL: "https://go.example.com", WAYMARK_KEY: "lnk_secret" });
  expect((await run(false, REPORT_URL)).code).toBe(0);
  expect(asked.map(({ url }) => url)).toEqual([`${REPORT_URL}.json`]);
  expect(asked[0]?.headers.get("authorization")).toBeNull();
});

it("says what is wrong with an address, a table or a report", async () => {
  const { run, asked } = reader();
  const mistyped = await run(false, "https://go.example.com/summer");
  expect([mistyped.code, mistyped.err]).toEqual([3, expect.stringContaining("URL: The address must be")]);
  expect((await run(false, REPORT_URL, "--part", "towns")).err).toContain("Allowed choices are days, links,");
  expect(asked).toEqual([]);
  const hidden = await run(false, REPORT_URL, "--part", "channels");
  expect([hidden.code, hidden.out]).toEqual([3, ""]);
  expect(hidden.err).toContain("This report does not show its channels.");
  const ended = await run(false, REPORT_URL.replace("3kq9", "none"));
  expect([ended.code, ended.out, ended.err]).toEqual([1, "", expect.stringContaining("Report not found.")]);
});
