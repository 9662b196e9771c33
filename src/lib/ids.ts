import { decodeTime, encodeTime, monotonicFactory, ulid } from "ulidx";
import { sha256Hex } from "./hash";
import { storedId } from "./ulid-text";

const POOL_BYTES = 256;
let pool = new Uint8Array(0);
let used = 0;

/** A number from 0 to below 1. An id needs 16. Buffering random bytes is ten times faster than one call for each. */
function random(): number {
  if (used === pool.length) {
    pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES));
    used = 0;
  }
  return (pool[used++] ?? 0) / 256;
}

export const newId = (at: number): string => ulid(at, random);

/** A generator of ULIDs that increase even within a millisecond, as long as its times do not decrease. */
export const idsInOrder = (): ((at: number) => string) => monotonicFactory(random);

export function idsByTime(): (at: number) => string {
  const next = new Map<number, (at: number) => string>();
  return (at) => {
    const nextAt = next.get(at) ?? idsInOrder();
    next.set(at, nextAt);
    return nextAt(at);
  };
}

const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/** The first ULID of a time, in milliseconds since the epoch. Those of earlier times sort before it. */
export const firstIdAt = (at: number): string =>
  encodeTime(at, TIME_CHARACTERS) + "0".repeat(RANDOM_CHARACTERS);

/** When a ULID was made, in milliseconds since the epoch; undefined for another text. */
export function timeOfId(id: string): number | undefined {
  const stored = storedId(id);
  return stored === "" ? undefined : decodeTime(stored);
}

/** The id of what a form makes of some values, so that it is made once if the form is sent twice: a ULID with the time of the form's id. */
export async function idOfForm(formId: string, values: readonly unknown[]): Promise<string> {
  const hash = await sha256Hex(JSON.stringify([formId, ...values]));
  return formId.slice(0, TIME_CHARACTERS) + hash.slice(0, RANDOM_CHARACTERS).toUpperCase();
}
