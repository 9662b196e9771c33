import { readFile } from "node:fs/promises";
import { etagOf } from "../api/etag";
import { assertNoConflicts } from "./apply";
import { PlanError } from "./errors";
import type { Action, Plan } from "./plan";
import { writeFileAtomically } from "./urls";

const FORMAT = "waymark-plan-1";

/** A plan to apply later. It holds the text of its file, so that a changed file does not matter. */
interface SavedPlan {
  format: typeof FORMAT;
  /** The address of the service that it was made for. */
  service: string;
  created_at: string;
  file_name: string;
  file_text: string;
  /** Each write with its fields and the ETag that the link had. */
  writes: readonly string[];
}

interface PlanOrigin {
  service: string;
  fileName: string;
  text: string;
  now: Date;
}

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

/** The text of a saved plan. Throws if the plan has problems or conflicts. */
export async function savePlan(plan: Plan, { service, fileName, text, now }: PlanOrigin): Promise<string> {
  assertNoConflicts(plan);
  const saved: SavedPlan = {
    format: FORMAT,
    service,
    created_at: now.toISOString(),
    file_name: fileName,
    file_text: text,
    writes: await describeWrites(plan),
  };
  return `${JSON.stringify(saved, null, 2)}\n`;
}

const isText = (value: unknown): value is string => typeof value === "string";

function isSavedPlan(value: unknown): value is SavedPlan {
  if (typeof value !== "object" || value === null) return false;
  const { format, service, created_at, file_name, file_text, writes } = value as Partial<SavedPlan>;
  const isComplete = [service, created_at, file_name, file_text].every(isText);
  return format === FORMAT && isComplete && Array.isArray(writes) && writes.every(isText);
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads a saved plan of this service. */
export function parseSavedPlan(text: string, service: string): SavedPlan {
  const saved = parseJson(text);
  if (!isSavedPlan(saved))
    throw new PlanError("saved_plan", "The file is not a plan of this version of waymark.");
  if (saved.service === service) return saved;
  throw new PlanError("saved_plan", `The plan was made for ${saved.service}, not for ${service}.`);
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
  throw new PlanError(
    "stale",
    "The workspace has changed since the plan was made. Nothing was written. Plan again.",
  );
}

export const writeSavedPlan = (path: string, text: string): Promise<void> => writeFileAtomically(path, text);

export const readSavedPlan = async (path: string, service: string): Promise<SavedPlan> =>
  parseSavedPlan(await readFile(path, "utf8"), service);
