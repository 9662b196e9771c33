import { expect, it } from "vitest";
import { localOfFile } from "./local";

const local = localOfFile(async ({ json }) => {
  for (const slug of ["acme", "beta"]) await json(`workspace create --name Acme --slug ${slug}`);
});

const { json } = local;
const text = async (line: string) => (await local.admin(line)).out;
const set = (values: string) =>
  local.env.DB.prepare(`update domains set ${values} where host = 'go.acme.com'`).run();

it("a domain is added without proof, listed, made primary, removed and released", async () => {
  const on = "--workspace acme --host go.localhost";
  const domain = { host: "go.localhost", state: "active", is_primary: false };
  expect(await json(`domain add ${on}`)).toEqual({ domain });
  expect(await json("domain list --workspace acme")).toEqual({ domains: [domain] });
  expect(await json(`domain check ${on}`)).toEqual({ domain });
  expect(await json(`domain primary ${on}`)).toEqual({ domain: { ...domain, is_primary: true } });
  const short = { host: "localhost", state: "active", is_primary: true };
  expect(await json("domain primary --workspace acme --host localhost")).toEqual({ domain: short });
  const { code, err } = await local.admin("domain release --host go.localhost");
  expect([code, err]).toEqual([1, expect.stringContaining("go.localhost is in use")]);
  expect(await json(`domain remove ${on}`)).toEqual({ domain: { ...domain, state: "removed" } });
  expect(await json("domain list --workspace acme")).toEqual({ domains: [] });
  expect(await json("domain release --host go.localhost")).toEqual({ domain });
  const early = await local.admin("domain add --workspace beta --host go.localhost");
  expect([early.code, early.err]).toEqual([
    1,
    expect.stringContaining("has this host until its release ends"),
  ]);
  // What the job does within some minutes.
  await local.env.DB.prepare("update slugs set push_at = null, doubt_until = null").run();
  await json("domain release --host go.localhost").catch(() => undefined);
  expect(await json("domain add --workspace beta --host go.localhost")).toEqual({ domain });
});

it("list and check say what is missing: the DNS record, the route or an answer", async () => {
  await json("domain add --workspace acme --host go.acme.com");
  const list = () => json("domain list --workspace acme");
  const row = async () => (await text("domain list --workspace acme")).split("\n")[1]?.split(/ {2,}/);
  expect(await row()).toEqual(["go.acme.com", "active", "no", "nothing"]);

  await set("state = 'verified'");
  const domain = { host: "go.acme.com", state: "verified", is_primary: false };
  expect(await list()).toEqual({ domains: [domain] });
  expect(await row()).toEqual(["go.acme.com", "verified", "no", "a route to this service: npm run deploy"]);

  await set("state = 'active', failing_since = 0");
  const failing_since = "1970-01-01T00:00:00.000Z";
  expect(await list()).toEqual({ domains: [{ ...domain, state: "active", failing_since }] });
  expect((await row())?.at(-1)).toBe(`an answer, since ${failing_since}`);

  await set("state = 'pending', failing_since = null, token = 'abc'");
  const proof = { name: "_waymark.go.acme.com", type: "TXT", value: "waymark=abc" };
  expect(await list()).toEqual({ domains: [{ ...domain, state: "pending", proof }] });
  expect((await row())?.at(-1)).toBe("the DNS record _waymark.go.acme.com TXT waymark=abc");
});
