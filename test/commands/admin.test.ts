import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp, npmRun, openLocal } from "../cli/terminal";

let local: Awaited<ReturnType<typeof openLocal>>;

beforeAll(async () => {
  local = await openLocal();
});
afterAll(async () => {
  await local.dispose();
  cleanUp();
});

describe("npm run admin", () => {
  it("with --json gives one JSON object and nothing else, and exits with 1 on an error", async () => {
    const name = `Tom's "quoted" $HOME; Ünï`;
    const npmAdmin = (...argv: string[]) =>
      npmRun(["admin", "--", ...argv, "--json", "--persist-to", local.state]);
    const created = await npmAdmin("workspace", "create", "--name", name, "--slug", "spawned");
    const refused = await npmAdmin("workspace", "suspend", "--slug", "nobody");
    expect(created, created.err).toMatchObject({ code: 0 });
    const { workspace } = JSON.parse(created.out);
    expect(workspace).toMatchObject({ name, slug: "spawned" });
    expect((await local.json("workspace", "list")).workspaces).toContainEqual(workspace);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("Error: Workspace not found.\n");
  });
});
