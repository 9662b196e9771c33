import { expect, it } from "vitest";
import { toActor } from "../../src/cli/platform";
import { localOfFile } from "./local";
import { ask } from "./worker";

const local = localOfFile();

const { admin, json } = local;

const lastActor = async (): Promise<unknown> =>
  (await local.env.DB.prepare("select actor from audit_log order by id desc limit 1").first())?.["actor"];

it("the audit log has the operator's name if a command says it", async () => {
  await json("workspace create --name A --slug named");
  expect(await lastActor()).toBe("operator");
  await json("workspace update --slug named --name B --actor ada@example.com");
  expect(await lastActor()).toBe("operator:ada@example.com");
  const { code, err } = await admin("workspace list", "--actor", " ");
  expect([code, err]).toEqual([1, expect.stringContaining("It must be a name or an e-mail address.")]);
});

it("a command on the deployed database has the address of wrangler's login, if the token may say it", async () => {
  const remote = { remote: true, persistTo: local.state };
  const ada = async () => "ada@example.com";
  const forbidden = async () => Promise.reject(new Error("Forbidden"));
  expect(await toActor(remote, ada)).toBe("operator:ada@example.com");
  expect(await toActor(remote, forbidden)).toBe("operator");
  expect(await toActor({ ...remote, actor: "Bob" }, ada)).toBe("operator:Bob");
  expect(await toActor({ ...remote, remote: false }, ada)).toBe("operator");
});

it("the link limit of a workspace is changed, and taken back, with its entry in the audit log", async () => {
  await json("workspace create --name Limited --slug limited --link-limit 1");
  const { key } = await json("key create --workspace limited --name K");
  const create = async () => {
    const body = { destination_url: "https://www.example.com/" };
    return (await ask(local.env, key, "POST", "/api/v1/links", body)).status;
  };
  expect([await create(), await create()]).toEqual([201, 422]);
  expect((await json("workspace update --slug limited --link-limit 2")).workspace.link_limit).toBe(2);
  const entry = await local.env.DB.prepare(
    "select before ->> 'link_limit' as was, change from audit_log where action = 'workspace.update' order by id desc",
  ).first();
  expect(entry).toEqual({ was: 1, change: '{"link_limit":2}' });
  expect([await create(), await create()]).toEqual([201, 422]);
  expect((await json(`workspace update --slug limited --link-limit ""`)).workspace.link_limit).toBeNull();
  expect(await create()).toBe(201);
  expect((await admin("workspace update --slug limited --link-limit -1")).code).toBe(1);
});

it("the list of keys says who made each", async () => {
  await json("workspace create --name Keys --slug keys");
  const { id } = await json("key create --workspace keys --name K --actor ada@example.com");
  await json(`key rotate --workspace keys --id ${id} --overlap-hours 0`);
  const { keys } = await json("key list --workspace keys");
  expect(keys.map(({ created_by: by }: { created_by: string }) => by)).toEqual([
    "operator:ada@example.com",
    "operator",
  ]);
  await local.env.DB.prepare("delete from audit_log where action = 'key.create'").run();
  expect((await json("key list --workspace keys")).keys[0].created_by).toBeNull();
});
