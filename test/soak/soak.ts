import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Client } from "../load/http";
import { CONTROL, INSTANCE, INSTANCES } from "./control";
import type { Slug } from "./truth";

/** What all who take part share. */
export interface Soak {
  url: string;
  http: Client;
  /** Every slug that visitors may ask for, the oldest first. */
  slugs: Slug[];
  isOver: () => boolean;
  /** Says what does not hold. */
  wrong: (what: string) => void;
  count: (what: string, by?: number) => void;
}

export const anInstance = () => ({ [INSTANCE]: String(Math.floor(Math.random() * INSTANCES)) });

export const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

export const chance = (share: number): boolean => Math.random() < share;

/** Does something again and again until the soak is over, with pauses between. */
export async function again(soak: Soak, pauseMs: number, turn: () => Promise<void>): Promise<void> {
  while (!soak.isOver()) {
    await turn();
    await sleep(pauseMs);
  }
}

const TRIES = 20;
const PAUSE_MS = 200;

/** Asks the Worker of the soak for something of its own, again where a fault was in the way; throws what it said last. */
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
