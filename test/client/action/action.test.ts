import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import { cleanUp, ROOT, temporaryDirectory } from "../../cli/terminal";
import { serveFake } from "../fake-http";
import { type FakeService, fakeService } from "../fake-service";
import { action, makeProject, runAction } from "./run";

const FILE = `version: 1
name: site
defaults: { tags: [Website] }
links:
  home-hero: { slug: summer, destination: https://www.example.com/sale, title: "Sale | \`now\`" }
`;
const UNCHANGED = "version: 1\nname: site\nlinks: {}\n";

let service: FakeService;
let inputs: { url: string; key: string };
const closing: (() => void)[] = [];

beforeEach(async () => {
  service = fakeService();
  const { url, close } = await serveFake(service);
  closing.push(close);
  inputs = { url, key: service.key };
});
afterAll(() => {
  for (const close of closing) close();
  cleanUp();
});

it("declares every input that it reads, and reads every input that it declares", () => {
  const { inputs: declared, runs } = action;
  const text = JSON.stringify(runs);
  const read = new Set(Array.from(text.matchAll(/inputs\.([\w-]+)/g), ([, name]) => name));
  expect([...read].sort()).toEqual(Object.keys(declared).sort());
  for (const { run, shell } of runs.steps) {
    expect(shell).toBe("bash");
    // An expression in a script would run what an input contains.
    expect(run).not.toContain("${{");
  }
  for (const { required, default: value } of Object.values(declared)) expect(required ?? value).toBeDefined();
});

it("plans with a read-only key: a job summary, and no write", async () => {
  service.state.access = "read";
  const { code, log, summary, outputs } = await runAction(makeProject({ "waymark.yaml": FILE }), inputs);
  expect(code, log).toBe(0);
  expect(summary).toContain("### Links of <code>site</code>");
  expect(summary).toContain("Plan: 1 to create");
  expect(outputs).toEqual({ changes: "true", urls: "", "urls-file": "" });
  expect(service.writes()).toEqual([]);
  expect(log + summary).not.toContain(service.key);
});

it("plans a file that changes nothing", async () => {
  const { code, outputs } = await runAction(makeProject({ "waymark.yaml": UNCHANGED }), inputs);
  expect([code, outputs["changes"]]).toEqual([0, "false"]);
});

it("fails with a conflict, which the summary shows", async () => {
  const { url, key } = inputs;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ destination_url: "https://www.example.com/other", slug: "summer" });
  await fetch(`${url}/api/v1/links`, { method: "POST", headers, body });

  const { code, summary } = await runAction(makeProject({ "waymark.yaml": FILE }), inputs);
  expect(code).toBe(1);
  expect(summary).toContain("conflict");
});

it("applies: the links, their QR files, and the URLs for the next steps", async () => {
  const project = makeProject({ "links.yaml": FILE });
  const given = { ...inputs, command: "apply", file: "links.yaml", "qr-dir": "qr", "urls-file": "urls.json" };
  const { code, log, outputs } = await runAction(project, given);
  expect(code, log).toBe(0);
  const [link] = service.state.links;
  const urls = { "home-hero": { slug: "summer", url: link?.short_url, id: link?.id } };
  expect(JSON.parse(outputs["urls"] ?? "")).toEqual(urls);
  expect(outputs["urls-file"]).toBe("urls.json");
  expect(JSON.parse(readFileSync(join(project, "urls.json"), "utf8"))).toEqual(urls);
  expect(readdirSync(join(project, "qr"))).toEqual(["home-hero.svg"]);

  const before = service.writes().length;
  const again = await runAction(project, { ...inputs, command: "apply", file: "links.yaml" });
  expect(again.code, again.log).toBe(0);
  expect(JSON.parse(readFileSync(again.outputs["urls-file"] ?? "", "utf8"))).toEqual(urls);
  expect(service.writes()).toHaveLength(before);
});

it("refuses more removals than allowed, and gives no URLs", async () => {
  const project = makeProject({ "waymark.yaml": FILE });
  await runAction(project, { ...inputs, command: "apply" });
  writeFileSync(join(project, "waymark.yaml"), UNCHANGED);
  const refused = await runAction(project, { ...inputs, command: "apply", "max-removals": "0" });
  expect(refused).toMatchObject({ code: 6, outputs: { urls: "", "urls-file": "" } });
  expect(service.state.links[0]?.status).toBe("active");
});

it("fails with a wrong file, a refused key and an unknown command", async () => {
  const project = makeProject({ "waymark.yaml": "version: 2\n" });
  expect(await runAction(project, inputs)).toMatchObject({
    code: 3,
    log: expect.stringContaining("waymark.yaml:1: "),
  });
  const { summary } = await runAction(project, inputs);
  expect(summary).toMatch(/^````text\nwaymark\.yaml:1: version must be 1/);
  expect(summary).toMatch(/For no links write \{\}\.\n\n````\n$/);
  writeFileSync(join(project, "waymark.yaml"), FILE);
  expect(await runAction(project, { ...inputs, key: "lnk_wrong" })).toMatchObject({ code: 4 });
  expect(await runAction(project, { ...inputs, command: "plan; id" })).toMatchObject({ code: 3 });
});

it("puts nothing on the PATH of the job's later steps, so it replaces none of their programs", async () => {
  const project = makeProject({ "waymark.yaml": FILE });
  expect(await runAction(project, inputs)).toMatchObject({ code: 0, path: "" });
});

it("installs a package by its path in a folder of its own, and prefers it", async () => {
  const project = makeProject({ "waymark.yaml": FILE });
  const folder = join(temporaryDirectory(), "a package");
  mkdirSync(folder);
  const manifest = { name: "waymark", version: "9.9.9", bin: { waymark: "stub.sh" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "stub.sh"), '#!/bin/sh\necho "stub $*"\n', { mode: 0o755 });

  const { code, log, summary, path } = await runAction(project, { ...inputs, package: folder });
  expect([code, path], log).toEqual([0, ""]);
  expect(summary).toBe("stub plan -f waymark.yaml --markdown --detailed-exitcode\n");
  expect(readdirSync(project).sort()).toEqual(["node_modules", "waymark.yaml"]);
});

it("the example for GitLab is YAML with a plan and an apply", () => {
  const example = parse(readFileSync(join(ROOT, "src/client/action/gitlab-ci.yml"), "utf8"));
  expect(example["plan links"].script.join()).toContain("waymark plan");
  expect(example["apply links"].script.join()).toContain("waymark apply --urls urls.json");
});
