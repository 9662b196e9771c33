import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockedHost } from "../../../src/resources/destinations/hosts";
import { type PreviewedLink, previewLink } from "../../../src/resources/links/preview-change";

const DRAFT: PreviewedLink = {
  destination_url: "https://www.example.com/sale",
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
  namesGroup: false,
  group: undefined,
  present: undefined,
  refusal: undefined,
  isKept: false,
  isTakenDown: false,
};
const SPRING = { name: "Spring", default_utm_campaign: "spring_26" };
const INHERITED = { utm_campaign: "winter", utm_campaign_origin: "inherited" } as const;

it.each<[string, Partial<PreviewedLink>, string | null, string]>([
  ["is the given one", { utm_campaign: "own" }, "own", "given"],
  ["is the group's default if none is given", { namesGroup: true, group: SPRING }, "spring_26", "group"],
  ["is none without a group", {}, null, "none"],
  [
    "is the inherited one, even if the group's default has changed",
    { utm_campaign: undefined, present: INHERITED, group: SPRING },
    "winter",
    "kept",
  ],
])("the campaign of a previewed link: %s", (_, draft, value, reason) => {
  const { parameters, target } = previewLink({ ...DRAFT, ...draft });
  expect(parameters[2]).toEqual({ name: "utm_campaign", value, reason, replaces: [] });
  expect(target).toBe(`https://www.example.com/sale${value === null ? "" : `?utm_campaign=${value}`}`);
});

describe("a parameter of a previewed link", () => {
  const destination_url =
    "https://www.example.com/?a=1&utm_source=old%20one&utm_medium=paper&utm_source=older#top";
  it("that the destination already has is reported, and kept", () => {
    expect(previewLink({ ...DRAFT, destination_url })).toEqual({
      isTakenDown: false,
      target: destination_url,
      problem: null,
      parameters: [
        { name: "utm_source", value: "old one", reason: "destination", replaces: [] },
        { name: "utm_medium", value: "paper", reason: "destination", replaces: [] },
        ...["utm_campaign", "utm_term", "utm_content"].map((name) => ({
          ...{ name, value: null, reason: "none", replaces: [] },
        })),
      ],
    });
  });

  it("that the link sets lists the values that it replaces in the destination", () => {
    expect(previewLink({ ...DRAFT, destination_url, utm_source: " shop " })).toMatchObject({
      target: "https://www.example.com/?a=1&utm_source=shop&utm_medium=paper#top",
      parameters: [
        { name: "utm_source", value: "shop", reason: "given", replaces: ["old one", "older"] },
        { name: "utm_medium", value: "paper", reason: "destination", replaces: [] },
        { name: "utm_campaign", value: null, reason: "none" },
        { name: "utm_term", value: null, reason: "none" },
        { name: "utm_content", value: null, reason: "none" },
      ],
    });
  });
});

describe("the destination of a previewed link", () => {
  it.each([
    ["", null],
    ["https://www.exa mple.com", { field: "destination_url", reason: "whitespace" }],
    ["javascript:alert(1)", { field: "destination_url", reason: "scheme" }],
  ])("%j has no target", (destination_url, problem) => {
    expect(previewLink({ ...DRAFT, destination_url, utm_source: "shop" })).toMatchObject({
      target: null,
      problem,
    });
  });

  it("on a refused host has no target, unless the link has it already", () => {
    const draft = { ...DRAFT, refusal: blockedHost() };
    expect(previewLink(draft)).toMatchObject({ target: null, problem: blockedHost() });
    expect(previewLink({ ...draft, isKept: true })).toMatchObject({
      target: draft.destination_url,
      problem: null,
    });
  });

  it("can be incomplete, with any text in any field", () => {
    const addresses = ["https://www.example.com/?utm_source=%ZZ&", "https://пример.com/\ud800", "\ud800"];
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...addresses));
    const draft = fc.record({
      destination_url: text,
      utm_source: fc.option(text),
      utm_medium: fc.option(text),
      utm_campaign: fc.option(text),
      utm_term: fc.option(text),
      utm_content: fc.option(text),
      namesGroup: fc.boolean(),
      group: fc.constantFrom(undefined, SPRING),
      present: fc.constantFrom(undefined, INHERITED),
      refusal: fc.constantFrom(undefined, blockedHost()),
      isKept: fc.constant(false),
      isTakenDown: fc.boolean(),
    });
    fc.assert(
      fc.property(draft, (drawn) => {
        expect(previewLink(drawn).parameters).toHaveLength(5);
      }),
    );
  });
});
