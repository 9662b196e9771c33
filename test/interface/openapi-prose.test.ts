import { describe, expect, it } from "vitest";
import { FIELD_CODES } from "../../src/lib/field-codes";
import { document, documented } from "./document";
import { furnished, operations, perform } from "./operations";

interface Described {
  description?: string;
}

interface DescribedResponse extends Described {
  headers?: Record<string, { $ref: string }>;
}

interface Whole {
  info: Described;
  tags: Described[];
  components: { headers: Record<string, Described & { required?: boolean }> };
}

const whole = document as unknown as Whole;
const HEADERS = whole.components.headers;

const responseOf = (operationId: string, status: number): DescribedResponse =>
  (documented(operationId).responses as Record<string, DescribedResponse>)[String(status)] ?? {};

const namesOf = (response: DescribedResponse): string[] => Object.keys(response.headers ?? {});

describe("the prose of the OpenAPI document", () => {
  it("describes the whole, every tag, and every header of a response", () => {
    for (const part of [whole.info, ...whole.tags, ...Object.values(HEADERS)])
      expect(part.description?.length).toBeGreaterThan(10);
  });

  it.each(operations)("describes $operationId and each of its parameters", ({ operationId }) => {
    const operation = documented(operationId) as ReturnType<typeof documented> & Described;
    expect(operation.description?.indexOf("<details")).toBeGreaterThan(50);
    for (const parameter of operation.parameters ?? [])
      expect((parameter as Described).description?.length, parameter.name).toBeGreaterThan(10);
  });

  it("has every code of `codes` with its meaning", () => {
    for (const [code, meaning] of Object.entries(FIELD_CODES))
      expect(whole.info.description).toContain(`| \`${code}\` | ${meaning} |`);
  });

  it("says what happens to a campaign, where a change of it is described", () => {
    const { description } = documented("updateLink") as Described;
    expect(description).toContain("| `utm_campaign: null` |");
    expect(description).toContain("| `activity_group_id: null` |");
  });
});

describe("the headers of the OpenAPI document", () => {
  it("are components, all of which are referred to", () => {
    const text = JSON.stringify(document);
    for (const name of Object.keys(HEADERS)) expect(text).toContain(`"#/components/headers/${name}"`);
    for (const { operationId } of operations) {
      for (const status of Object.keys(documented(operationId).responses)) {
        const { headers = {} } = responseOf(operationId, Number(status));
        for (const [name, { $ref }] of Object.entries(headers)) {
          expect($ref).toBe(`#/components/headers/${name}`);
          expect(HEADERS).toHaveProperty([name]);
        }
      }
    }
  });

  it.each(operations)("are those that $operationId sends", async (operation) => {
    const { operationId, path } = operation;
    const { ws, ids } = await furnished();
    const strict = { prefer: "handling=strict" };
    const key = operation.method === "POST" ? { "idempotency-key": "one" } : {};
    for (const headers of [
      { ...key, authorization: null },
      { ...key, ...strict, "if-match": '"x"' },
      { ...key, ...strict },
      key,
    ]) {
      const answer = await perform(ws, operation, ids, { headers });
      const names = namesOf(responseOf(operationId, answer.status));
      const sent = Object.keys(HEADERS).filter((name) => answer.headers.has(name));
      const title = `${path} ${answer.status}`;
      expect(names, title).toEqual(expect.arrayContaining(sent));
      expect(sent, title).toEqual(
        expect.arrayContaining(names.filter((name) => HEADERS[name]?.required === true)),
      );
    }
  });
});
