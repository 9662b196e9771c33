import { and, inArray, or, type SQL, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { whereKeyActive } from "../../src/access/key-repository";
import { whereMemberHasRole } from "../../src/access/member-repository";
import { selectWorkspaceSnapshot, whereRoomForTag } from "../../src/access/repository";
import { insertAuditRow } from "../../src/db/audit";
import type { AuditedChange, Guard, Statement } from "../../src/db/client";
import { auditLog } from "../../src/db/schema/audit";
import { links } from "../../src/db/schema/links";
import { whereReserved } from "../../src/http/idempotency/repository";
import {
  whereRoomForLinks,
  whereRoomForSlug,
  whereSlugsFree,
  whereUnchanged,
} from "../../src/resources/links/write/guards";
import { selectTagSnapshot, whereTagExists } from "../../src/resources/tags/repository";
import { written } from "../fakes";

const OPERATION = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";

/** The statement without preparation. */
const direct = ({ guards = [], before, ...change }: AuditedChange): Statement => {
  const isDone = sql`exists (select 1 from ${auditLog} where ${auditLog.operation_id} = ${OPERATION})`;
  const guarded = sql`case when ${or(and(...guards.map((guard) => guard.getSQL())), isDone)} then ${change.action} end`;
  const row = {
    operation_id: OPERATION,
    workspace_id: change.workspaceId,
    actor: change.actor,
    subject: change.subject,
    change: change.change === undefined ? null : JSON.stringify(change.change),
    at: change.at,
    batch: change.batch ?? null,
  };
  return (orm) =>
    orm
      .insert(auditLog)
      .values({ ...row, action: guards.length === 0 ? change.action : guarded, before: before ?? null });
};

const changeWith = (turn: number, guards: Guard[], before?: SQL | string): AuditedChange => ({
  workspaceId: turn,
  actor: `key:${turn}`,
  action: `link.${turn}`,
  subject: `subject ${turn}`,
  at: turn,
  change: { turn },
  guards,
  ...(before === undefined ? {} : { before }),
});

describe("the prepared audit statement has the same SQL as the unprepared one", () => {
  const key = (turn: number) => ({
    apiKeyId: turn,
    key: `k${turn}`,
    fingerprint: "f",
    operationId: `o${turn}`,
  });
  it.each<[string, (turn: number) => AuditedChange]>([
    ["a guard", (turn) => changeWith(turn, [whereKeyActive(turn, 3)])],
    ["another guard of the same values", (turn) => changeWith(turn, [whereRoomForTag(turn, 3)])],
    [
      "several",
      (turn) =>
        changeWith(turn, [whereMemberHasRole(turn, "a@b.example", "owner"), whereReserved(key(turn))]),
    ],
    ["only a previous state", (turn) => changeWith(turn, [], selectWorkspaceSnapshot(turn))],
    [
      "both",
      (turn) =>
        changeWith(
          turn,
          [whereMemberHasRole(turn, "a@b.example", "editor")],
          selectTagSnapshot(turn, `t${turn}`),
        ),
    ],
    ["a version", (turn) => changeWith(turn, [whereTagExists(turn, "t", turn)])],
    ["no version", (turn) => changeWith(turn, [whereTagExists(turn, "t")])],
    ["a guard that is not prepared", (turn) => changeWith(turn, [inArray(links.id, [turn, 2])])],
    [
      "prepared guards, with lists of several lengths",
      (turn) => {
        const read = Array.from({ length: turn * 5 }, (_, id) => ({
          id,
          version: turn,
          taken_down_at: null,
        }));
        return changeWith(
          turn,
          [whereUnchanged(turn, read), whereRoomForSlug(turn, 5, "s")],
          JSON.stringify({ turn }),
        );
      },
    ],
    [
      "the same and others",
      (turn) =>
        changeWith(turn, [
          whereRoomForLinks(turn, 2),
          whereSlugsFree(turn, [{ key: "s", link: null, isUnclaimed: true }]),
          whereReserved(key(turn)),
        ]),
    ],
    ["prepared and not", (turn) => changeWith(turn, [whereRoomForLinks(turn, 2), whereKeyActive(turn, 3)])],
    ["nothing", (turn) => changeWith(turn, [])],
  ])("%s", (_, change) => {
    for (const turn of [1, 2, 3]) {
      const row = written(insertAuditRow(OPERATION, change(turn)));
      expect(row.params).toEqual(written(direct(change(turn))).params.filter((param) => param !== undefined));
      expect(row.sql).toBe(written(direct(change(turn))).sql);
    }
  });
});
