import { expect, inject, it } from "vitest";
import { askForJson, askOutside } from "../../../src/resources/destinations/outside";

// Against the web server of `operations/health/pages.ts`.

const page = (path: string): string => `http://127.0.0.1:${inject("pagesPort")}${path}`;
const QUESTION = { maxMs: 5_000, maxBytes: 1_000 };

it.each(["/endless", "/bomb"])("no more of a body than asked for is read: %s", async (path) => {
  expect((await askOutside(page(path), QUESTION)).text).toHaveLength(1_000);
  await expect(askForJson(page(path), QUESTION)).rejects.toThrow();
});

it("the time is that of the headers and the body together", async () => {
  const begun = Date.now();
  await expect(askOutside(page("/drip"), { ...QUESTION, maxMs: 300 })).rejects.toThrow();
  await expect(askOutside(page("/slow"), { ...QUESTION, maxMs: 300 })).rejects.toThrow();
  expect(Date.now() - begun).toBeLessThan(4_000);
});

it("a redirect is an answer, and no success", async () => {
  const { response } = await askOutside(page("/to?url=/status/200"), QUESTION);
  expect([response.status, response.headers.get("location")]).toEqual([302, "/status/200"]);
  await expect(askForJson(page("/to?url=/status/200"), QUESTION)).rejects.toThrow("Status 302");
});

it.each([
  ["http://keys.example/", false],
  ["http://127.0.0.1.keys.example/", false],
  ["http://keys.example/#localhost", false],
  ["ftp://keys.example/", false],
  ["data:application/json,{}", false],
  ["https://keys.example/", true],
  ["http://localhost:8787/", true],
  ["http://go.localhost/", true],
  ["http://[::1]:8787/", true],
])("only https is asked, and this machine: %s", async (url, isAsked) => {
  const asked: string[] = [];
  const answer = askOutside(url, QUESTION, async (address) => {
    asked.push(address);
    return new Response("{}");
  });
  await (isAsked ? answer : expect(answer).rejects.toThrow("Not an https address"));
  expect(asked).toEqual(isAsked ? [url] : []);
});
