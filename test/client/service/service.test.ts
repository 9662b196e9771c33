import { afterAll, beforeAll, expect, it } from "vitest";
import { waymark } from "../../../src/client/api/client";
import { gather } from "../../../src/client/api/pages";
import { readReport } from "../../../src/client/api/report";
import type { Waymark } from "../../../src/client/api/wire-types";
import { etagOf } from "../../../src/lib/etag";
import { DAY_MS } from "../../../src/lib/time";
import { createReport } from "../../../src/resources/reports/report-links";
import { getWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { cleanUp } from "../../cli/terminal";
import { type Service, startService } from "../../service/start";
import { failureOf } from "../api/setup";

const DESTINATION = "https://www.example.com/sale?a=b&c=%20d";

let service: Service;
let client: Waymark;

beforeAll(async () => {
  service = await startService();
  client = waymark({ url: service.base, key: service.key });
});
afterAll(async () => {
  await service?.stop();
  cleanUp();
});

const etagFromService = async (path: string): Promise<string | null> => {
  const headers = { Authorization: `Bearer ${service.key}` };
  return (await fetch(`${service.base}/api/v1${path}`, { headers })).headers.get("ETag");
};

it("etagOf a listed link equals the ETag of the service, whatever fields the link has", async () => {
  const tags = await Promise.all(["Été", "Ünï 😀", "Straße"].map((name) => client.tags.create({ name })));
  const [group] = await gather(client.groups.list());
  const inputs = [
    {},
    { title: "“Sale” \\ / 😀", channel: "poster", external_id: "etag:1", tag_ids: tags.map(({ id }) => id) },
    { activity_group_id: group?.id ?? "", utm_source: "a", utm_medium: "b", tag_names: ["STRAßE"] },
    { activity_group_id: group?.slug ?? "", utm_campaign: "own" },
  ];
  for (const input of inputs) await client.links.create({ destination_url: DESTINATION, ...input });

  const listed = await gather(client.links.list({ status: "all" }));
  expect(listed.length).toBeGreaterThan(3);
  for (const link of listed) {
    expect(await etagOf(link)).toBe(await etagFromService(`/links/${link.id}`));
    expect(await etagOf(await client.links.get(link.id))).toBe(await etagOf(link));
  }
});

it("etagOf a listed tag works as If-Match", async () => {
  const tag = await client.tags.create({ name: "Guarded", description: "as it was" });
  const [listed] = (await client.tags.list()).filter(({ id }) => id === tag.id);
  const ifMatch = listed === undefined ? "" : await etagOf(listed);

  const changed = await client.tags.update(tag.id, { name: "Guarded again", colour: "#f00" }, { ifMatch });
  expect(await failureOf(client.tags.delete(tag.id, { ifMatch }))).toMatchObject({ status: 412 });
  await client.tags.delete(tag.id, { ifMatch: await etagOf(changed) });
});

it("reads a report by the address of its page", async () => {
  const { ctx, base } = service;
  const workspace = await getWorkspace(ctx, "demo");
  const ends_on = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  const { url } = await createReport({ ...ctx, workspace }, { kind: "overview", last: "30", ends_on });
  const address = `${base}${new URL(url).pathname}`;
  const report = await readReport(address);
  expect(report).toEqual(await (await fetch(`${address}.json`)).json());
  expect(report.report).toMatchObject({ title: "Overview", kind: "overview" });
  expect(report.days).toHaveLength(30);
  expect(report.totals?.visits).toBeGreaterThan(0);
  const ended = readReport(`${base}/reports/${"x".repeat(32)}`);
  expect(await failureOf(ended)).toMatchObject({ status: 404, message: "Report not found." });
});
