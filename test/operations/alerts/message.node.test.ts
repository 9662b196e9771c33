import { expect, it } from "vitest";
import { toBody, toMessages } from "../../../src/operations/alerts/message";
import type { AlertRow } from "../../../src/operations/alerts/repository";

const WORKSPACE = { id: "01W", name: "Acme", slug: "acme" };

const alert = (fields: Partial<AlertRow> = {}): AlertRow => ({
  id: 1,
  kind: "link.taken_down",
  text: "A check took down https://s.example/summer.",
  facts: '{"link":"01L"}',
  created_at: Date.UTC(2026, 10, 22, 9, 30),
  message: null,
  tries: 0,
  due_at: 0,
  delivered_at: null,
  outcome: null,
  workspace: JSON.stringify(WORKSPACE),
  ...fields,
});

it("a body has a line per event for each chat, and the events for programs", () => {
  const later = { kind: "pushes.overdue", workspace: null, text: "R & D", facts: "{}" } as const;
  const events = [alert(), alert({ ...later, created_at: Date.UTC(2026, 10, 22, 9, 31) })];
  expect(JSON.parse(toBody(events))).toEqual({
    type: "waymark.alerts",
    timestamp: "2026-11-22T09:31:00.000Z",
    text: "A check took down https://s.example/summer.\nR &amp; D",
    content: "A check took down https://s.example/summer.\nR & D",
    allowed_mentions: { parse: [] },
    data: {
      events: [
        {
          kind: "link.taken_down",
          at: "2026-11-22T09:30:00.000Z",
          workspace: WORKSPACE,
          text: "A check took down https://s.example/summer.",
          facts: { link: "01L" },
        },
        {
          kind: "pushes.overdue",
          at: "2026-11-22T09:31:00.000Z",
          workspace: null,
          text: "R & D",
          facts: {},
        },
      ],
    },
  });
});

it("a body of one event at its largest is within the limits of Teams and Discord", () => {
  for (const text of [
    "&".repeat(500),
    "_".repeat(500),
    "東".repeat(500),
    "🎉".repeat(500),
    '"'.repeat(500),
  ]) {
    const body = toBody([alert({ text })]);
    expect(new TextEncoder().encode(body).length).toBeLessThan(24 * 1024);
    expect(JSON.parse(body).content.length).toBeLessThanOrEqual(2_000);
  }
});

it("events are divided into messages of at most 20 events and 24 KB, in their order", () => {
  const short = Array.from({ length: 45 }, (_, id) => alert({ id }));
  const messages = toMessages(short);
  expect(messages.map(({ length }) => length)).toEqual([20, 20, 5]);
  expect(messages.flat()).toEqual(short);

  const long = Array.from({ length: 45 }, (_, id) => alert({ id, text: "&🎉".repeat(250) }));
  const divided = toMessages(long);
  expect(divided.flat()).toEqual(long);
  for (const events of divided) {
    expect(new TextEncoder().encode(toBody(events)).length).toBeLessThanOrEqual(24 * 1024);
    expect(JSON.parse(toBody(events)).content.length).toBeLessThanOrEqual(2_000);
  }
});
