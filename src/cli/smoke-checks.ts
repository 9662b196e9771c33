import type { z } from "zod";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON of the text; undefined if it is none. */
  json: unknown;
  ms: number;
}

/** What is right in an answer. */
export interface Expected {
  status: number;
  headers?: Readonly<Record<string, string | RegExp>>;
  json?: z.ZodType;
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? "missing").slice(0, 160);

/** Sentences that say what is wrong with the answer of a step, and what would be right. */
export function findProblems(
  step: string,
  answer: Answer,
  { status, headers = {}, json }: Expected,
): string[] {
  const begin = `It begins with ${shown(answer.text.slice(0, 120))}.`;
  if (answer.status !== status)
    return [`${step}: the answer has the status ${answer.status}. Right would be: ${status}. ${begin}`];
  const problems = Object.entries(headers).flatMap(([name, right]) => {
    const value = answer.headers.get(name) ?? "missing";
    const isRight = typeof right === "string" ? right === value : right.test(value);
    return isRight ? [] : [`${step}: the header ${name} is ${value}. Right would be: ${right}.`];
  });
  if (json === undefined) return problems;
  if (answer.json === undefined) return [...problems, `${step}: the answer is no JSON. ${begin}`];
  for (const issue of json.safeParse(answer.json, { reportInput: true }).error?.issues ?? []) {
    const field = issue.path.join(".") || "the body";
    const right = issue.code === "invalid_value" ? `${shown(issue.values[0])}.` : issue.message;
    problems.push(`${step}: ${field} is ${shown(issue.input)}. Right would be: ${right}`);
  }
  return problems;
}

/** A line with the time of an answer, the time in D1, what answered a visit, and the place of Cloudflare that did. */
export function describeAnswer(step: string, { status, headers, ms }: Answer): string {
  const d1 = /\bd1;dur=([\d.]+)/.exec(headers.get("Server-Timing") ?? "")?.[1];
  const cache = headers.get("X-Cache");
  const place = /-([A-Z]{3})$/.exec(headers.get("CF-Ray") ?? "")?.[1];
  const measured = [`${Math.round(ms)} ms`, d1 && `d1 ${d1} ms`, cache && `X-Cache ${cache}`, place];
  return `${step.padEnd(30)} ${status}  ${measured.filter(Boolean).join(", ")}`;
}
