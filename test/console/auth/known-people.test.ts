import { describe, expect, it } from "vitest";
import { addMember, changeRole, removeMember } from "../../../src/access/members";
import { createSignInLink, signOutEverywhere } from "../../../src/access/sessions";
import { resumeWorkspace, suspendWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { withoutD1 } from "../../faulty";
import { makeWorkspace, otherInstance } from "../../harness";
import { logged } from "../../log";
import { makeMember, openBrowser, signInAs, useSignInLink } from "../browser";
import { watched } from "../depth";

// Every page asks D1 first who is there, also on an instance that has seen the session.

/** A member whose session the instance has cached, the page of their links, and the depth of sequential D1 calls. */
async function knownMember(role: "owner" | "editor" | "viewer" = "owner") {
  const { workspace, browser } = await makeMember(role);
  const { env, depth } = watched(otherInstance());
  const path = `/app/${workspace.slug}/links`;
  const open = (to = path) => browser.get(to, {}, env);
  expect((await open()).status).toBe(200);
  depth();
  return { workspace, browser, env, depth, path, open };
}

describe("a page for a person whose session this instance has cached", () => {
  it("asks who is there in one call, and then reads in at most two more", async () => {
    const { workspace, open, path, depth } = await knownMember();
    await open();
    expect(depth()).toBe(3);
    const link = await workspace.link();
    // A page of figures adds up the queue of visits first, once in half a minute.
    await open(`/app/${workspace.slug}/tags`);
    expect(depth()).toBeLessThanOrEqual(3);
    for (const [page, calls] of [
      [`/app/${workspace.slug}/groups/new`, 1],
      [`/app/${workspace.slug}/keys`, 2],
      [`${path}/${link.id}/edit`, 2],
    ] as const) {
      expect((await open(page)).status, page).toBe(200);
      expect([page, depth()]).toEqual([page, calls]);
    }
  });

  it("uses their current role", async () => {
    const { workspace, browser, open, path } = await knownMember("owner");
    await signInAs(workspace, "owner");
    expect((await open()).text).toContain("New link");
    await changeRole(workspace.ctx, browser.email, "viewer");
    expect((await open()).text).not.toContain("New link");
    expect((await open(`${path}/new`)).status).toBe(403);
    expect((await open(`/app/${workspace.slug}/keys`)).status).toBe(403);
    await changeRole(workspace.ctx, browser.email, "editor");
    expect((await open(`${path}/new`)).status).toBe(200);
  });

  it("writes one log line, with the final response", async () => {
    const { workspace, browser, open } = await knownMember();
    await signInAs(workspace, "owner");
    await removeMember(workspace.ctx, browser.email);
    const from = logged.length;
    expect((await open()).status).toBe(404);
    const lines = logged.slice(from).map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { status: 404, error: "not_found", workspace: null, route: "/app/{workspace}/links", d1_calls: 1 },
    ]);
  });

  it("is 404 from the next request on after their removal or the workspace's suspension", async () => {
    const { workspace, browser, open } = await knownMember();
    await suspendWorkspace(workspace.ctx, workspace.slug);
    expect((await open()).status).toBe(404);
    await resumeWorkspace(workspace.ctx, workspace.slug);
    expect((await open()).status).toBe(200);
    await signInAs(workspace, "owner");
    await removeMember(workspace.ctx, browser.email);
    for (const page of ["links", "export.csv", "groups/new", "workspace"]) {
      const answer = await open(`/app/${workspace.slug}/${page}`);
      expect([page, answer.status]).toEqual([page, 404]);
      expect(answer.text).not.toContain(workspace.ctx.workspace.name);
    }
  });

  it("is available from the next request on in a workspace that they were added to", async () => {
    const { browser, open } = await knownMember();
    const other = await makeWorkspace();
    const page = `/app/${other.slug}/links`;
    expect((await open(page)).status).toBe(404);
    await addMember(other.ctx, { email: browser.email, role: "viewer" });
    expect((await open(page)).status).toBe(200);
  });

  it("names no person while the database is not available", async () => {
    const { workspace, browser, env, path } = await knownMember();
    const answer = await browser.get(path, {}, { ...env, DB: withoutD1().DB });
    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain(browser.email);
    expect(answer.text).not.toContain(workspace.ctx.workspace.name);
  });

  it("is not rendered for an unseen session of the same person", async () => {
    const { workspace, browser, env } = await knownMember();
    const second = openBrowser(env);
    const { token } = await createSignInLink(workspace.ctx, browser.email);
    await useSignInLink(second, token);
    await signOutEverywhere(workspace.ctx, browser.email);
    expect((await second.get(`/app/${workspace.slug}/links`)).status).toBe(303);
  });
});

it("a form is accepted only after its sender is checked", async () => {
  const { workspace, browser, env } = await knownMember("owner");
  await signInAs(workspace, "owner");
  await changeRole(workspace.ctx, browser.email, "viewer");
  const answer = await browser.post(`/app/${workspace.slug}/tags`, { name: "A" }, {}, env);
  expect(answer.status).toBe(403);
  expect((await workspace.call("GET", "/api/v1/tags")).body.tags).toEqual([]);
});
