import { afterAll, expect, it } from "vitest";
import { fakeService, refused } from "../fake-service";
import { textOf } from "../file/setup";
import { cleanUp, DESTINATION, type Shell, shell } from "./setup";

afterAll(cleanUp);

const writeFile = (one: Shell, links: Record<string, Record<string, unknown>>): string =>
  one.write("waymark.yaml", textOf(links));
const failWrites = (one: Shell, status: number, from = 1): void => {
  let writes = 0;
  one.service.onCall = async (call, answer) =>
    call.method !== "GET" && ++writes >= from ? refused(status) : answer();
};
const TWO = { a: { slug: "a", tags: ["Print"] }, b: { slug: "b" } };

/** Each case runs one command line, after what it prepares. */
const CASES: readonly (readonly [
  name: string,
  code: number,
  run: (one: Shell) => Promise<{ code: number }>,
])[] = [
  ["an empty plan", 0, (one) => one.run("plan", "-f", writeFile(one, {}), "--detailed-exitcode")],
  [
    "no connection",
    1,
    async (one) => {
      one.service.onCall = async () => {
        throw new TypeError("fetch failed");
      };
      return one.run("whoami");
    },
  ],
  [
    "an apply of which everything failed",
    1,
    async (one) => {
      failWrites(one, 500);
      return one.run("apply", "-f", writeFile(one, TWO));
    },
  ],
  [
    "a plan with changes and --detailed-exitcode",
    2,
    (one) => one.run("plan", "-f", writeFile(one, TWO), "--detailed-exitcode"),
  ],
  ["a wrong key", 4, (one) => one.runUnder({ env: { WAYMARK_KEY: "lnk_wrong" } }, "links", "list")],
  [
    "a read-only key that writes",
    4,
    async () => {
      const one = shell(fakeService({ access: "read" }));
      return one.run("links", "create", "--destination", DESTINATION);
    },
  ],
  [
    "a key that is revoked in the middle of an apply",
    5,
    async (one) => {
      failWrites(one, 401, 2);
      return one.run("apply", "-f", writeFile(one, TWO));
    },
  ],
  [
    "an apply whose only link was changed after it was read",
    6,
    async (one) => {
      await one.run("apply", "-f", writeFile(one, { a: { slug: "a" } }));
      const [link] = one.service.state.links;
      one.service.onCall = async (call, answer) => {
        if (call.method === "PATCH" && link !== undefined) link.title = "By hand";
        return answer();
      };
      return one.run("apply", "-f", writeFile(one, { a: { slug: "a", title: "By file" } }));
    },
  ],
];

it.each(CASES)("%s: exit %i", async (_, code, run) => {
  expect(await run(shell())).toMatchObject({ code });
});
