import { describe, expect, it } from "vitest";
import { destinationHost } from "../../../src/lib/destination";
import type { HostChecks } from "../../../src/resources/destinations/resolver";
import {
  blockedHost,
  dangerousHost,
  hostProblem,
  hostsOfLink,
  toRefusedHosts,
} from "../../../src/resources/destinations/rules";

const refused = (blocked: readonly string[], domains: readonly string[] = [], checks?: HostChecks) =>
  toRefusedHosts(
    [
      ...blocked.map((host) => ({ host, is_blocked: 1, is_domain: 0 })),
      ...domains.map((host) => ({ host, is_blocked: 0, is_domain: 1 })),
    ],
    checks,
  );

describe.each(["destination_url", "ended_url"] as const)("the host of a link's %s", (field) => {
  const ctx = { config: { ownHosts: ["s.example"] } };
  const OWN = {
    field,
    message: `The ${field.replace("_", " ")} field must not point to this service itself.`,
    code: "forbidden_host",
  };

  it.each([
    ["is allowed", "https://a.example/", [], "ok", undefined],
    ["is allowed if there was no lookup", "https://a.example/", [], undefined, undefined],
    ["is allowed if another host is blocked", "https://a.example/", ["b.a.example"], "ok", undefined],
    [
      "is refused if it is our own, even if also blocked",
      "https://www.s.example/",
      ["s.example"],
      "blocked",
      OWN,
    ],
    [
      "is refused if the operator has blocked it, even if also dangerous",
      "https://a.example/",
      ["a.example"],
      "blocked",
      blockedHost(field),
    ],
    ["is refused below a blocked host", "https://www.a.example/", ["a.example"], "ok", blockedHost(field)],
    ["is refused if it is dangerous", "https://a.example/", [], "blocked", dangerousHost(field)],
  ] as const)("%s", (_, url, blocked, hostCheck, problem) => {
    const checks = new Map(hostCheck && [[destinationHost(url), hostCheck]]);
    expect(hostProblem(ctx, field, url, refused(blocked, [], checks))).toEqual(problem);
  });

  it("is refused if it is a workspace's domain, and allowed below it", () => {
    const message = `The ${field.replace("_", " ")} field leads to a host that serves short links itself.`;
    const domains = refused([], ["go.example"]);
    expect(hostProblem(ctx, field, "https://go.example/x", domains)).toEqual({ ...OWN, message });
    expect(hostProblem(ctx, field, "https://www.go.example/x", domains)).toBeUndefined();
  });

  it.each([null, undefined])("is not checked without a URL: %s", (url) => {
    expect(hostProblem(ctx, field, url, refused(["a.example"]))).toBeUndefined();
  });
});

it("the hosts to look up are those of each URL of a link", () => {
  const link = {
    destination_url: "https://www.a.example/x",
    ended_url: null,
    rules: [{ destination_url: "http://A.example:8080/" }],
  };
  expect(hostsOfLink(link)).toEqual(["www.a.example", "a.example"]);
});
