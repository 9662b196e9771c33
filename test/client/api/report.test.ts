import { expect, it } from "vitest";
import { readReport } from "../../../src/client/api/report";
import { REPORT, REPORT_URL, reportService } from "../report";
import { failureOf } from "./setup";

it.each([REPORT_URL, `${REPORT_URL}.json`, `${REPORT_URL}.csv?part=links`, ` ${REPORT_URL}#top\n`])(
  "%j is the address of a report, and all that is sent",
  async (address) => {
    const { fetch, asked } = reportService();
    expect(await readReport(address, { fetch })).toEqual(REPORT);
    expect(asked.map(({ url, method }) => [method, url])).toEqual([["GET", `${REPORT_URL}.json`]]);
    expect(Object.fromEntries(asked[0]?.headers ?? [])).toEqual({ accept: "application/json" });
  },
);

it.each([
  "",
  "summer",
  REPORT_URL.replace("https:", "http:"),
  REPORT_URL.replace("https:", "file:"),
  REPORT_URL.slice(0, -1),
  `${REPORT_URL}.xml`,
  `${REPORT_URL}/more`,
  "https://go.example.com/app/acme/reports?kind=overview",
])("%j is refused before anything is sent", async (address) => {
  const { fetch, asked } = reportService();
  await expect(readReport(address, { fetch })).rejects.toThrow(
    new TypeError("The address must be that of a report, such as https://go.example.com/reports/…."),
  );
  expect(asked).toEqual([]);
});

it("a service of one's own computer may be http", async () => {
  const local = reportService();
  const address = REPORT_URL.replace("https://figures.example.com", "http://localhost:8787");
  expect(await failureOf(readReport(address, local))).toMatchObject({ status: 404 });
  expect(local.asked[0]?.url).toBe(`${address}.json`);
});

it("throws what the service says of a report that has ended", async () => {
  const { fetch, asked } = reportService();
  const failure = await failureOf(readReport(REPORT_URL.replace("3kq9", "none"), { fetch }));
  expect(failure).toMatchObject({ name: "WaymarkError", status: 404, message: "Report not found." });
  expect(asked).toHaveLength(1);
});

it("follows no redirect, and takes no other answer for a report", async () => {
  const moved = reportService(() => new Response(null, { status: 301, headers: { location: "/x" } }));
  expect(await failureOf(readReport(REPORT_URL, moved))).toMatchObject({ status: 301 });
  expect(moved.asked[0]?.redirect).toBe("manual");
  const other = reportService(() => Response.json({ links: [] }));
  expect(await failureOf(readReport(REPORT_URL, other))).toMatchObject({
    message: "The answer is no report. Check its address.",
  });
});
