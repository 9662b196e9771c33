import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Client } from "../load/http";
import { CONTROL, INSTANCE, INSTANCES } from "./control";
import type { Slug } from "./truth";

/** The state that all participants share. */
export interface Soak {
  url: string;
  http: Client;
  /** Every slug for visitors, oldest first. */
  slugs: Slug[];
  isOver: () => boolean;
  /** Reports a violation. */
  wrong: (what: string) => void;
  count: (what: string, by?: number) => void;
}

export const anInstance = () => ({ [INSTANCE]: String(Math.floor(Math.random() * INSTANCES)) });

export const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

export const chance = (share: number): boolean => Math.random() < share;

/** Repeats an action with pauses until the soak is over. */
export async function again(soak: Soak, pauseMs: number, turn: () => Promise<void>): Promise<void> {
  while (!soak.isOver()) {
    await turn();
    await sleep(pauseMs);
  }
}

const TRIES = 20;
const PAUSE_MS = 200;

/** Calls a control path of the soak's Worker. Retries on faults and throws the last error. */
// biome-ignore lint/suspicious/noExplicitAny: every verb answers something else
export async function command(soak: Soak, verb: string, body = ""): Promise<any> {
  let answer: Answer | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    answer = await soak.http.ask(`${soak.url}${CONTROL}${verb}`, "POST", {}, body);
    if (answer.status === 200) return JSON.parse(answer.body);
    soak.count(`${verb} repeated`);
    await sleep(PAUSE_MS);
  }
  throw new Error(`${verb}: ${answer?.body}`);
}
