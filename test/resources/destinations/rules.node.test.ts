import { describe, expect, it } from "vitest";
import {
  checkedHost,
  hostProblem,
  hostsOfLink,
  ruleProblems,
  toRefusedHosts,
} from "../../../src/resources/destinations/hosts";
import { toProgram } from "../../failures";

const CTX = { config: { ownHosts: ["s.example"] } };
const refusedHosts = () =>
  toRefusedHosts(
    [
      { host: "blocked.example", is_blocked: 1, is_domain: 0 },
      { host: "go.example", is_blocked: 0, is_domain: 1 },
    ],
    new Map([
      ["malware.example", "blocked"],
      ["fine.example", "ok"],
    ]),
  );
const DANGEROUS = "The destination url field leads to a host that is known to spread malware.";

it("a link leads to the hosts of its destination, its other addresses and its rules", () => {
  expect(
    hostsOfLink({
      destination_url: "https://a.example/x",
      ended_url: "https://b.example/",
      preview_image_url: "https://c.example/",
      rules: [{ destination_url: "https://d.example/" }],
    }),
  ).toEqual(["a.example", "b.example", "c.example", "d.example"]);
  expect(hostsOfLink({ ended_url: null, rules: null })).toEqual([]);
  expect(hostsOfLink({})).toEqual([]);
});

describe("a host", () => {
  it.each<[string | null, string | undefined]>([
    [null, undefined],
    ["https://fine.example/", undefined],
    ["https://other.example/", undefined],
    ["https://s.example/", "The destination url field must not point to this service itself."],
    ["https://go.example/", "The destination url field leads to a host that serves short links itself."],
    ["https://below.go.example/", undefined],
    [
      "https://blocked.example/",
      "The destination url field leads to a host that this service does not allow.",
    ],
    [
      "https://a.blocked.example/",
      "The destination url field leads to a host that this service does not allow.",
    ],
    ["https://malware.example/", DANGEROUS],
  ])("of %s is refused: %s", (url, message) => {
    const problem = message && { field: "destination_url", message, code: "forbidden_host" };
    const found = hostProblem(CTX, "destination_url", url, refusedHosts());
    expect(found && toProgram(found)).toEqual(problem);
  });

  it("of a rule is refused with the rule's number, unless the link has it already", () => {
    const url = "https://malware.example/";
    const rules = [{ destination_url: "https://fine.example/" }, { destination_url: url }];
    const problems = ruleProblems(CTX, rules, refusedHosts());
    expect(problems.map((problem) => problem && toProgram(problem))).toEqual([
      undefined,
      {
        field: "rules.1.destination_url",
        message: DANGEROUS.replace("destination url", "rules.1.destination_url"),
        code: "forbidden_host",
      },
    ]);
    const kept = JSON.stringify([{ destination_url: url }]);
    expect(ruleProblems(CTX, rules, refusedHosts(), kept)).toEqual([undefined, undefined]);
    expect(ruleProblems(CTX, null, refusedHosts())).toEqual([]);
  });

  it.each([
    [null, undefined, { hostCheck: "unknown", checkAt: null }],
    ["https://dns.example", undefined, { hostCheck: "unknown", checkAt: 5 }],
    ["https://dns.example", "blocked", { hostCheck: "blocked", checkAt: null }],
  ] as const)("with the resolver %s that says %s: %o", (resolver, said, expected) => {
    expect(checkedHost({ resolver }, said, 5)).toEqual(expected);
  });
});
