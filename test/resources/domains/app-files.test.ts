import { describe, expect, it } from "vitest";
import { messageOf } from "../../../src/lib/failure";
import { type AppFiles, fileProblem, setAppFiles } from "../../../src/resources/domains/app-files";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { suspendWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { makeMember } from "../../console/browser";
import { API, makeWorkspace, otherInstance, SHORT, send, serviceContext, visit } from "../../harness";

const ID = "ABCDE12345.com.example.app";
const APPLE = JSON.stringify({ applinks: { details: [{ appIDs: [ID], components: [{ "/": "/*" }] }] } });
const ANDROID = JSON.stringify([
  {
    relation: ["delegate_permission/common.handle_all_urls"],
    target: {
      namespace: "android_app",
      package_name: "com.example.app",
      sha256_cert_fingerprints: [Array.from({ length: 32 }, () => "AB").join(":")],
    },
  },
]);
const NONE: AppFiles = { apple_app_site_association: null, assetlinks: null };
const PATHS = [
  ["apple_app_site_association", "/.well-known/apple-app-site-association", APPLE],
  ["assetlinks", "/.well-known/assetlinks.json", ANDROID],
] as const;
const get = (url: string, method = "GET") =>
  send(new Request(url, { method, redirect: "manual" }), otherInstance());

async function makeDomain() {
  const ws = await makeWorkspace();
  const { host } = await addDomain(ws.ctx, `a${crypto.randomUUID().slice(0, 8)}.example`, true);
  return { ws, host };
}

describe.each(PATHS)("%s", (field, path, file) => {
  it("is served by its domain alone, as it was pasted", async () => {
    const { ws, host } = await makeDomain();
    expect((await get(`https://${host}${path}`)).status).toBe(404);
    await setAppFiles(ws.ctx, host, { ...NONE, [field]: file });
    for (let times = 0; times < 2; times++) {
      const answer = await get(`https://${host}${path}`);
      const { "x-request-id": _, ...headers } = Object.fromEntries(answer.headers);
      expect([answer.status, await answer.text(), headers]).toEqual([
        200,
        file,
        {
          "content-type": "application/json",
          "cache-control": "max-age=300",
          "x-content-type-options": "nosniff",
        },
      ]);
    }
    expect((await get(`https://${host}${path}`, "POST")).status).toBe(405);
    for (const origin of [SHORT, API, "https://nobody.example"])
      expect((await get(origin + path)).status, origin).toBe(404);
    await setAppFiles(ws.ctx, host, NONE);
    expect((await get(`https://${host}${path}`)).status).toBe(404);
  });

  it("stops with its workspace", async () => {
    const { ws, host } = await makeDomain();
    await setAppFiles(ws.ctx, host, { ...NONE, [field]: file });
    await suspendWorkspace(serviceContext(), ws.slug);
    expect((await get(`https://${host}${path}`)).status).toBe(404);
  });
});

it.each([
  ["apple_app_site_association", APPLE],
  ["apple_app_site_association", `{"applinks":{"apps":[],"details":[{"appID":"${ID}","paths":["*"]}]}}`],
  ["apple_app_site_association", `{"webcredentials":{"apps":["${ID}"]},"activitycontinuation":{}}`],
  ["assetlinks", ANDROID],
] as const)("%s may be %s", (field, text) => {
  expect(fileProblem(field, text)).toBeUndefined();
});

it.each([
  ["apple_app_site_association", "{", /^The file is no JSON: /],
  ["apple_app_site_association", "[]", /^The file is not right: must be an object\.$/],
  ["apple_app_site_association", "{}", /must have applinks, webcredentials or appclips/],
  [
    "apple_app_site_association",
    '{"applinks":{"details":[{"paths":["*"]}]}}',
    /at applinks\.details\.0: must have appIDs/,
  ],
  [
    "apple_app_site_association",
    '{"appclips":{"apps":["com.example"]}}',
    /at appclips\.apps\.0: must be an app ID such as/,
  ],
  ["apple_app_site_association", JSON.stringify({ a: "é".repeat(8_200) }), /must not be larger than 16 KB/],
  ["assetlinks", "{}", /^The file is not right: must be an array\.$/],
  ["assetlinks", "[]", /must not be empty/],
  ["assetlinks", ANDROID.replaceAll("AB:", "ab:"), /at 0\.target: must be an android_app/],
  ["assetlinks", ANDROID.replace("delegate_permission/", ""), /at 0\.relation\.0: must begin with/],
] as const)("%s may not be %s", (field, text, said) => {
  const problem = fileProblem(field, text);
  expect(problem && messageOf(problem)).toMatch(said);
});

it("an owner pastes them on the page of the domain, which says what is wrong", async () => {
  const { workspace, browser } = await makeMember();
  const { host } = await addDomain(workspace.ctx, `a${crypto.randomUUID().slice(0, 8)}.example`, true);
  const path = `/app/${workspace.slug}/domains/${host}`;
  const refused = await browser.post(`${path}/apps`, { apple_app_site_association: "{}", assetlinks: "" });
  expect([refused.status, refused.text.includes("must have applinks, webcredentials or appclips")]).toEqual([
    422,
    true,
  ]);
  const saved = await browser.post(`${path}/apps`, {
    apple_app_site_association: APPLE,
    assetlinks: ANDROID,
  });
  expect([saved.status, saved.location]).toEqual([303, path]);
  expect((await browser.get(path)).text).toContain(ID);
  expect((await get(`https://${host}/.well-known/assetlinks.json`)).status).toBe(200);
  expect((await visit("/.well-known/assetlinks.json")).status).toBe(404);
});
