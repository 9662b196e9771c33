import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import type { Env, ServiceContext } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { backupLines } from "../../../src/operations/backup/back-up";
import { restoreFrom } from "../../../src/operations/backup/restore";
import { setDomainAddresses } from "../../../src/resources/domains/domain-addresses";
import { addDomain } from "../../../src/resources/domains/domain-service";
import {
  createWorkspace,
  getWorkspace,
  listWorkspaces,
} from "../../../src/resources/workspaces/workspace-service";
import { signInAs } from "../../console/browser";
import { otherInstance, SHORT, send, serviceContext, testEnv } from "../../harness";
import { backUpDuringChanges, furnishSource, sealed, sourceOf } from "./backups";
import { emptied, memoryKv } from "./database";

// A backup that somebody has altered and sealed again, as an operator may be given one.

const HOSTILE = [
  "javascript:alert(1)",
  "https://evil.example/\r\nSet-Cookie: a=b",
  "data:text/html,<script>alert(1)</script>",
  "https://s.example/loop",
  "",
  "\u0000",
  `"><script>alert(1)</script>`,
  "x".repeat(100_000),
];
const ALTERED = [
  "destination_url",
  "title",
  "ended_url",
  "name",
  "description",
  "utm_campaign",
  "colour",
  "place",
];

let file: string[];
beforeAll(async () => {
  file = (await backUpDuringChanges(await furnishSource())).lines;
});

/** The file with `value` in every text of the altered columns, sealed again. */
async function altered(value: string): Promise<string[]> {
  let columns: string[] = [];
  const lines = file.slice(0, -1).map((line) => {
    if (line.startsWith('{"table"')) ({ columns } = JSON.parse(line));
    if (!line.startsWith("[")) return line;
    const cells: unknown[] = JSON.parse(line);
    const isText = (index: number) =>
      ALTERED.includes(columns[index] ?? "") && typeof cells[index] === "string";
    return JSON.stringify(cells.map((cell, index) => (isText(index) ? value : cell)));
  });
  return sealed(lines);
}

it.each(HOSTILE.map((value) => [value.slice(0, 40), value]))(
  "a backup with hostile values: %j is refused, or leads visitors nowhere, and breaks no page",
  async (_, value) => {
    await emptied(env.RESTORED);
    const environment: Env = { ...otherInstance(testEnv), DB: env.RESTORED, KV: memoryKv(new Map()).kv };
    const service: ServiceContext = {
      ...serviceContext(environment),
      db: createDatabase(env.RESTORED),
      kv: environment.KV,
    };
    const outcome = await restoreFrom(service, sourceOf(await altered(value))).then(
      () => "restored",
      (error) => error,
    );
    if (outcome !== "restored") {
      expect(outcome).toMatchObject({ status: 422 });
      return;
    }
    const { results: links } = await env.RESTORED.prepare(
      "select slug from links where deleted_at is null",
    ).all<{ slug: string }>();
    expect(links.length).toBeGreaterThan(10);
    for (const { slug } of links) {
      const request = new Request(`${SHORT}/${slug}`, { redirect: "manual" });
      const { status, headers } = await send(request, environment);
      expect([302, 404, 410, 451, 503], `${slug}: ${status}`).toContain(status);
      expect(headers.get("location") ?? "https://").toMatch(/^https?:\/\//);
      expect(headers.has("set-cookie")).toBe(false);
    }
    const ctx = { ...service, workspace: await getWorkspace(service, "acme") };
    const browser = await signInAs({ ctx }, "owner", environment);
    for (const page of [
      "",
      "/links",
      "/links?status=all",
      "/tags",
      "/groups",
      "/assets",
      "/audit",
      "/workspace",
    ]) {
      const { status, text } = await browser.get(`/app/acme${page}`, {}, environment);
      expect([page, status]).toEqual([page, 200]);
      expect(text).not.toContain("<script>alert");
      expect(text).not.toMatch(/href="(javascript|data):/);
    }
  },
);

describe("a backup with domains", () => {
  const HOST = "go.restored.example";
  const opened = () => ({ ...serviceContext(), db: createDatabase(env.RESTORED) });

  /** The lines of a backup of a workspace with a domain, in an empty database. */
  async function backedUp(): Promise<string[]> {
    await emptied(env.RESTORED);
    const service = opened();
    await createWorkspace(service, { name: "Own", slug: "own" });
    const ctx = { ...service, workspace: await getWorkspace(service, "own") };
    await addDomain(ctx, HOST, true);
    await setDomainAddresses(ctx, HOST, { root_url: "https://www.example.com/", not_found_url: null });
    const lines = await sealed(backupLines(service));
    await emptied(env.RESTORED);
    return lines;
  }

  it("is refused if one leads to what is no web address", async () => {
    const lines = (await backedUp()).map((line) =>
      line.replace("https://www.example.com/", "javascript:alert(1)"),
    );
    await expect(restoreFrom(opened(), sourceOf(await sealed(lines.slice(0, -1))))).rejects.toMatchObject({
      status: 422,
    });
  });

  it("is refused before anything is written if another workspace has a host", async () => {
    const lines = (await backedUp()).filter((line) => !line.startsWith(`["${HOST}/"`));
    const service = opened();
    await createWorkspace(service, { name: "Other", slug: "other" });
    await addDomain({ ...service, workspace: await getWorkspace(service, "other") }, HOST, true);
    await expect(restoreFrom(service, sourceOf(await sealed(lines.slice(0, -1))))).rejects.toMatchObject({
      body: { errors: { from: [expect.stringContaining(`Another workspace has the host ${HOST}`)] } },
    });
    expect((await listWorkspaces(service)).map(({ slug }) => slug)).toEqual(["other"]);
  });
});
