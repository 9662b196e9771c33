import { expect, it } from "vitest";
import { writeOrigin } from "../../src/cli/platform";
import { localOfFile } from "./local";
import { openPage, useSignInLink } from "./worker";

const local = localOfFile();

const { admin, json } = local;

let workspaces = 0;

/** A new workspace. */
async function makeWorkspace(): Promise<string> {
  const slug = `team-${++workspaces}`;
  await json(`workspace create --name Team --slug ${slug}`);
  return slug;
}

const add = (workspace: string, email: string, role: string) =>
  json(`member add --workspace ${workspace} --email ${email} --role ${role}`);

const isOpen = async (workspace: string, cookie: string): Promise<number> =>
  (await openPage(local.env, `http://localhost:8787/app/${workspace}/members`, cookie)).status;

it("a member is added in any case, listed by address, given another role and removed", async () => {
  const workspace = await makeWorkspace();
  const { member } = await add(workspace, " Ada@Team.EXAMPLE ", "owner");
  expect(member).toEqual({
    id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    email: "ada@team.example",
    name: null,
    role: "owner",
    last_seen_at: null,
    created_at: expect.stringMatching(/Z$/),
  });
  const { member: bob } = await add(workspace, "Bob@team.example", "viewer");
  const of = ["--workspace", workspace, "--email", "BOB@team.example"];
  expect(await json("member role", ...of, "--role", "editor")).toEqual({
    member: { ...bob, role: "editor" },
  });
  expect(await json(`member list --workspace ${workspace}`)).toEqual({
    members: [member, { ...bob, role: "editor" }],
  });
  expect(await json("member remove", ...of)).toEqual({ removed: "bob@team.example" });
  expect(await json(`member list --workspace ${workspace}`)).toEqual({ members: [member] });
});

it.each([
  [["add", "--email", "x@team.example", "--role", "king"], "--role: The selected role is invalid."],
  [["remove", "--email", "x@team.example"], "Member not found."],
])("member %j is refused with a readable error", async ([verb = "", ...options], message) => {
  const workspace = await makeWorkspace();
  const { code, out, err } = await admin(`member ${verb} --workspace ${workspace}`, ...options);
  expect([code, out, err]).toEqual([1, "", `Error: ${message}\n`]);
});

it("a sign-in link is printed for a member, opens the web application once, and signing out ends its session", async () => {
  const workspace = await makeWorkspace();
  await add(workspace, "in@team.example", "viewer");
  const { sign_in: link } = await json("member sign-in --email In@team.example");
  expect(link).toEqual({
    email: "in@team.example",
    url: expect.stringMatching(/^http:\/\/localhost:8787\/app\/sign-in\?token=sgn_[0-9a-f]{64}$/),
    expires_at: expect.stringMatching(/Z$/),
  });
  const { status, cookie } = await useSignInLink(local.env, link.url);
  expect(status).toBe(303);
  expect(await isOpen(workspace, cookie)).toBe(200);
  expect((await useSignInLink(local.env, link.url)).status).toBe(403);
  expect(await json("member sign-out --email IN@team.example")).toEqual({ signed_out: "in@team.example" });
  expect(await isOpen(workspace, cookie)).toBe(303);
});

it("a sign-in link has the address of the last development server", async () => {
  const workspace = await makeWorkspace();
  await add(workspace, "port@team.example", "viewer");
  writeOrigin(local.state, "http://localhost:9000");
  const { sign_in: link } = await json("member sign-in --email port@team.example");
  writeOrigin(local.state, "http://localhost:8787");
  expect(link.url).toMatch(/^http:\/\/localhost:9000\/app\/sign-in\?token=/);
});

it.each(["sign-in", "sign-out"])("member %s of a person who is not a member is an error", async (verb) => {
  expect(await admin(`member ${verb} --email nobody@team.example`)).toEqual({
    code: 1,
    out: "",
    err: "Error: No workspace has the member nobody@team.example.\n",
  });
});

it("a removed member who is still signed in can be signed out", async () => {
  const workspace = await makeWorkspace();
  await add(workspace, "gone@team.example", "viewer");
  const { sign_in: link } = await json("member sign-in --email gone@team.example");
  const { cookie } = await useSignInLink(local.env, link.url);
  await json(`member remove --workspace ${workspace} --email gone@team.example`);
  expect(await json("member sign-out --email gone@team.example")).toEqual({
    signed_out: "gone@team.example",
  });
  expect((await admin("member sign-out --email gone@team.example")).code).toBe(1);
  expect(cookie).not.toBe("");
});
