import { expect, it } from "vitest";
import type { AlertRow } from "../../../src/operations/alerts/alert-repository";
import { toBody, toMessages } from "../../../src/operations/alerts/message";

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
  workspace: JSON.stringify({ id: "01W", name: "Acme", slug: "acme" }),
  ...fields,
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

it("events are divided into messages of at most 24 KB, in their order", () => {
  const long = Array.from({ length: 45 }, (_, id) => alert({ id, text: "&🎉".repeat(250) }));
  const divided = toMessages(long);
  expect(divided.flat()).toEqual(long);
  for (const events of divided) {
    expect(new TextEncoder().encode(toBody(events)).length).toBeLessThanOrEqual(24 * 1024);
    expect(JSON.parse(toBody(events)).content.length).toBeLessThanOrEqual(2_000);
  }
});
