/** What a request costs in D1 and KV, and how long it waits for D1 in all if that does not answer. */
export const newMeter = (maxSilenceMs = 10_000) => ({
  silenceMs: maxSilenceMs,
  calls: 0,
  /** Each statement of a batch counts, since Cloudflare does not document whether it does. */
  statements: 0,
  rowsRead: 0,
  /** D1's own, without waiting. */
  duration: 0,
  /** The part of it that was work for all workspaces. */
  common: 0,
  kvWrites: 0,
  mails: 0,
  /** Of stored answers and rules, beyond what is ordinary. */
  extraBytes: 0,
  /** With waiting. */
  milliseconds: 0,
});

export type Meter = ReturnType<typeof newMeter>;

/** Of an answer that is stored, or of rules that change. */
const ORDINARY_BYTES = 8 * 1024;

/** Charges what is stored beyond what is ordinary, since it fills the database. */
export function chargeStored(meter: Meter | undefined, bytes: number): void {
  if (meter !== undefined) meter.extraBytes += Math.max(0, bytes - ORDINARY_BYTES);
}
