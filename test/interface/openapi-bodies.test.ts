import { describe, expect, it } from "vitest";
import { GROUP_STATUSES } from "../../src/lib/group-status";
import { makeWorkspace, type TestWorkspace } from "../harness";
import { documented, faults, responseSchema } from "./document";
import { bodyOf, furnished, type Ids, operations, pathOf, perform, UNKNOWN } from "./operations";

/** Calls an operation, compares its JSON with the schema of its status, and returns the status. */
async function compared(
  ws: TestWorkspace,
  operationId: string,
  ids: Ids,
  call: object = {},
  query = "",
): Promise<number> {
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`${operationId} is not documented`);
  const answer = await perform(ws, { ...operation, path: operation.path + query }, ids, call);
  const schema = responseSchema(documented(operationId), answer.status);
  if (schema === undefined)
    throw new Error(`${operationId} does not document ${answer.status}: ${answer.text}`);
  expect(faults(schema, answer.body), `${operationId}${query} ${answer.text}`).toEqual([]);
  return answer.status;
}

const successOf = (operationId: string): number =>
  Number(Object.keys(documented(operationId).responses).find((status) => status.startsWith("2")));

const answering = operations.filter(({ operationId }) => {
  return responseSchema(documented(operationId), successOf(operationId)) !== undefined;
});

describe("the schema comparison", () => {
  it("finds missing and undocumented properties and wrong types, at any depth", async () => {
    const { ws, ids } = await furnished();
    const schema = responseSchema(documented("getLink"), 200) ?? {};
    const { body } = await ws.call("GET", `/api/v1/links/${ids.link}`);
    const { title: _, ...untitled } = body;
    const [tag] = body.tags;
    const assignment = { ...body.activity_group.assignment, role: "secondary" };
    expect(faults(schema, body)).toEqual([]);
    for (const wrong of [
      untitled,
      { ...body, extra: null },
      { ...body, status: "deleted" },
      { ...body, created_at: "yesterday" },
      { ...body, id: "1" },
      { ...body, tags: [{ ...tag, workspace_id: 1 }] },
      { ...body, tags: [{ ...tag, colour: 1 }] },
      { ...body, activity_group: { ...body.activity_group, assignment } },
      { ...body, activity_group: null },
    ]) {
      expect(faults(schema, wrong)).toHaveLength(1);
    }
  });
});

describe("every 2xx body matches its schema, without missing or undocumented properties", () => {
  it.each(answering)("$operationId", async ({ operationId }) => {
    const { ws, ids } = await furnished();
    expect(await compared(ws, operationId, ids)).toBe(successOf(operationId));
  });

  it("covers all operations except those without a JSON response", () => {
    const silent = operations.filter((operation) => !answering.includes(operation));
    expect(silent.map(({ operationId }) => operationId).sort()).toEqual(
      ["deleteLink", "deleteTag", "detachTagFromLink", "getLinkQr"].sort(),
    );
  });

  it("groups of every status, with and without optional fields, and an empty page", async () => {
    const ws = await makeWorkspace();
    expect(await compared(ws, "listActivityGroups", UNKNOWN)).toBe(200);
    for (const status of GROUP_STATUSES) {
      const group = await ws.group({ status, starts_at: 0, ends_at: 1, default_utm_campaign: "c" });
      await ws.link({ activity_group_id: group.id });
    }
    await ws.group({ type: "other" });
    expect(await compared(ws, "listActivityGroups", UNKNOWN)).toBe(200);
    expect(await compared(ws, "listLinks", UNKNOWN)).toBe(200);
  });
});

describe("every error body matches its schema", () => {
  it.each(operations)("$operationId: 401, 404, and 422, 412 and 413 if it has them", async (operation) => {
    const { operationId } = operation;
    const { ws, ids } = await furnished();
    const has = (status: number): boolean => String(status) in documented(operationId).responses;
    expect(await compared(ws, operationId, ids, { headers: { authorization: null } })).toBe(401);
    if (pathOf(operation.path, ids) !== operation.path)
      expect(await compared(ws, operationId, UNKNOWN)).toBe(404);
    if (has(412)) expect(await compared(ws, operationId, ids, { headers: { "if-match": '"x"' } })).toBe(412);
    if (bodyOf(operation, ids).body !== undefined) {
      expect(await compared(ws, operationId, ids, { raw: "[" })).toBe(422);
      expect(await compared(ws, operationId, ids, { raw: " ".repeat(70_000) })).toBe(413);
    }
    const strict = { headers: { prefer: "handling=strict" } };
    expect(await compared(ws, operationId, ids, strict, "?page=0&size=1&unknown=1")).toBe(422);
  });
});
