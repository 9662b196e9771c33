import { waymark } from "../../../src/client/api/client";
import type { Waymark } from "../../../src/client/api/wire-types";
import { type Call, cutShort, dropped, type FakeService, fakeService, refused } from "../fake-service";

export interface Setup {
  service: FakeService;
  client: Waymark;
}

export function setup(options?: Parameters<typeof fakeService>[0]): Setup {
  const service = fakeService(options);
  return { service, client: waymark(service) };
}

/** Faults of a single try. */
export const FAULTS = {
  "the connection ends before the call took effect": async () => dropped(),
  "the response is lost after the call took effect": async (answer) => {
    await answer();
    return dropped();
  },
  "the response is truncated": async (answer) => cutShort(await answer()),
  "500 before the call took effect": async () => refused(500),
  "500 after the call took effect": async (answer) => {
    await answer();
    return refused(500);
  },
  "503": async () => refused(503, { "Retry-After": "5" }),
  "502 from the network's edge": async () => new Response("<html>Bad gateway</html>", { status: 502 }),
  "429": async () => refused(429, { "Retry-After": "60" }),
  "409": async () => refused(409, { "Retry-After": "1" }),
} satisfies Record<string, (answer: () => Promise<Response>) => Promise<Response>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** Makes the next calls fail, one for each fault. */
export function failNext(service: FakeService, ...names: (FaultName | undefined)[]): void {
  const left = [...names];
  service.onCall = (_: Call, answer) => {
    const name = left.shift();
    return name === undefined ? answer() : FAULTS[name](answer);
  };
}

/** Resolves to the error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  const error: unknown = await call.then(
    () => "resolved",
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error(`expected a failure, got ${JSON.stringify(error)}`);
  return Object.assign(error, {}) as unknown as Record<string, unknown>;
}
