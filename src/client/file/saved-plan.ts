import * as z from "zod";
import { etagOf } from "../../lib/etag";
import { parseJson } from "../../lib/json";
import { isoTime } from "../../lib/time";
import { EXIT, Refusal } from "../exit";
import { assertNoConflicts } from "./apply-plan";
import type { LinkFile } from "./link-file";
import type { Action, Plan } from "./make-plan";

const FORMAT = "waymark-plan-1";

/** A plan to apply later. It holds the text of its file, so that a changed file does not matter. */
const savedPlan = z.object({
  format: z.literal(FORMAT),
  /** The address of the service that it was made for. */
  service: z.string(),
  created_at: z.string(),
  file_name: z.string(),
  file_text: z.string(),
  /** Each write with its fields and the ETag that the link had. */
  writes: z.array(z.string()),
});

type SavedPlan = z.output<typeof savedPlan>;

async function describeWrite(action: Action): Promise<string> {
  const { op, key } = action;
  if (op === "create") return JSON.stringify([op, key, action.input]);
  const input = op === "update" ? action.input : {};
  return JSON.stringify([op, key, input, action.link.id, await etagOf(action.link)]);
}

const describeWrites = async ({ tags, actions }: Plan): Promise<string[]> => [
  ...tags.map((name) => JSON.stringify(["create_tag", name])),
  ...(await Promise.all(actions.map(describeWrite))),
];

/** The text of a saved plan for this service. Throws if the plan has conflicts. */
export async function savePlan(plan: Plan, { path, text }: LinkFile, service: string): Promise<string> {
  assertNoConflicts(plan);
  const file = { file_name: path, file_text: text };
  const writes = await describeWrites(plan);
  const saved: SavedPlan = { format: FORMAT, created_at: isoTime(Date.now()), service, ...file, writes };
  return `${JSON.stringify(saved, null, 2)}\n`;
}

export function parseSavedPlan(text: string, service: string): SavedPlan {
  const { data } = savedPlan.safeParse(parseJson(text));
  if (data === undefined) throw new Refusal("The file is not a plan of this version of waymark.");
  if (data.service === service) return data;
  throw new Refusal(`The plan was made for ${data.service}, not for ${service}.`);
}

/**
 * Throws if a plan made now would write anything that the saved plan does not show. What is done meanwhile may be absent,
 * so an apply that was killed can go on with its plan.
 */
export async function assertFresh(saved: SavedPlan, plan: Plan): Promise<void> {
  assertNoConflicts(plan);
  const shown = new Set(saved.writes);
  const writes = await describeWrites(plan);
  if (writes.every((write) => shown.has(write))) return;
  throw new Refusal(
    "The workspace has changed since the plan was made. Nothing was written. Plan again.",
    EXIT.refused,
  );
}
