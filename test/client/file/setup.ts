import { stringify } from "yaml";
import { waymark } from "../../../src/client/api/client";
import type { Link, Waymark } from "../../../src/client/api/wire-types";
import { type Applied, type ApplyOptions, applyPlan } from "../../../src/client/file/apply-plan";
import type { LinkFile } from "../../../src/client/file/link-file";
import { makePlan, type Plan } from "../../../src/client/file/make-plan";
import { parseFile } from "../../../src/client/file/parse-file";
import { dropped, type FakeService } from "../fake-service";

/** A client that has its own pace, as another process would. */
export const clientOf = (service: FakeService): Waymark => waymark(service);

export const DESTINATION = "https://www.example.com/";

/** The fields of a link as a file has them. */
export type Fields = Record<string, unknown>;
type Rest = { on_removed?: string; defaults?: Fields; name?: string };

/** The text of a file. A link without a destination gets one. */
export function textOf(links: Record<string, Fields>, rest: Rest = {}): string {
  const full = Object.entries(links).map(([key, fields]) => [key, { destination: DESTINATION, ...fields }]);
  return stringify({ version: 1, name: "site", ...rest, links: Object.fromEntries(full) });
}

export const parsed = (text: string): LinkFile => parseFile("waymark.yaml", text);

export const fileOf = (links: Record<string, Fields>, rest?: Rest): LinkFile => parsed(textOf(links, rest));

export async function apply(client: Waymark, file: LinkFile, options?: ApplyOptions): Promise<Applied> {
  return applyPlan(client, await makePlan(client, file), { maxRemovals: 1_000, ...options });
}

/** Applies a file that must succeed. */
export async function applyAll(client: Waymark, file: LinkFile): Promise<ReadonlyMap<string, Link>> {
  const { links, failed, skipped } = await apply(client, file);
  if (links !== undefined) return links;
  throw new Error([...failed, ...skipped].map(({ key, message }) => `${key}: ${message}`).join("\n"));
}

/** What a plan would write, in short. */
export const writesOf = ({ tags, actions }: Plan): string[] => [
  ...tags.map((name) => `create_tag ${name}`),
  ...actions.map(({ op, key }) => `${op} ${key}`),
];

/** Lets no call through from number `count` (from 0) on, as after a kill. With `hasEffect` that call still has its effect. */
export function killAt(service: FakeService, count: number, hasEffect: boolean): void {
  let left = count;
  service.onCall = async (_, answer) => {
    if (left-- > 0) return answer();
    if (left === -1 && hasEffect) await answer();
    return dropped();
  };
}

export function revive(service: FakeService): void {
  service.onCall = (_, answer) => answer();
}

/** The number of calls that `work` makes. */
export async function callsOf(service: FakeService, work: () => Promise<unknown>): Promise<number> {
  const before = service.calls.length;
  await work();
  return service.calls.length - before;
}

/** A number of links with the keys `key-0`, `key-1` and so on. */
export const many = (count: number, fields: (number: number) => Fields): Record<string, Fields> =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`key-${number}`, fields(number)]));
