import { afterAll, expect, it } from "vitest";
import { fakeService } from "../fake-service";
import { cleanUp, DESTINATION, listed, type Shell, shell } from "./setup";

afterAll(cleanUp);

const ACME = "acme.example";

/** The slug `summer` on the short host and on a domain of the workspace. */
async function twice(): Promise<{ one: Shell; ids: Record<"short" | "acme", string> }> {
  const one = shell(fakeService({ domains: [ACME] }));
  const create = ["links", "create", "--destination", DESTINATION, "--slug", "summer"];
  const short = await one.json(...create);
  const acme = await one.json(...create, "--domain", "Acme.Example.");
  return { one, ids: { short: short.id, acme: acme.id } };
}

it("a link is created on a domain, found by its short URL, and moved", async () => {
  const { one, ids } = await twice();
  expect(await one.json("links", "get", `https://${ACME}/summer`)).toMatchObject({
    id: ids.acme,
    domain: ACME,
  });
  expect((await one.json("links", "get", "https://go.example.com/summer/")).id).toBe(ids.short);

  const move = ["links", "update", `https://${ACME}/summer`, "--slug", "sale", "--domain", "go.example.com"];
  expect((await one.run(...move, "--dry-run")).out).toBe(
    `slug\tsummer → sale\ndomain\t${ACME} → go.example.com\n`,
  );
  expect((await one.run(...move)).out).toBe("https://go.example.com/sale\n");
  expect((await one.run("links", "update", "sale", "--domain", "go.example.com")).err).toBe(
    "/sale is already as asked.\n",
  );
  const { code, err } = await one.run("links", "update", "sale", "--domain", "other.example");
  expect(code).toBe(1);
  expect(err).toContain("domain: The selected domain is invalid.\n");
});

it("a slug that several domains have names no link, until one is renamed", async () => {
  const { one, ids } = await twice();
  const writes = one.service.writes().length;
  const { code, err } = await one.run("links", "delete", "summer");
  expect(code).toBe(1);
  expect(err).toContain(
    `https://${ACME}/summer, https://go.example.com/summer. Name one by its domain or short URL.`,
  );
  expect(one.service.writes()).toHaveLength(writes);
  await one.json("links", "update", ids.acme, "--slug", "sale");
  expect((await one.json("links", "get", "summer")).id).toBe(ids.short);
});

it("--dry-run of a creation looks at the domain", async () => {
  const { one } = await twice();
  const dry = ["links", "create", "--dry-run", "--destination", DESTINATION, "--slug"];
  expect((await one.run(...dry, "summer", "--domain", ACME)).err).toContain(
    "The slug has already been taken.",
  );
  await one.run("links", "create", "--destination", DESTINATION, "--slug", "sale");
  expect((await one.run(...dry, "sale", "--domain", ACME)).code).toBe(0);
});

it("lists and exports have the domain, as a filter and as a column", async () => {
  const { one, ids } = await twice();
  expect(await one.json("links", "list", "--domain", "ACME.example")).toMatchObject([{ id: ids.acme }]);
  expect(listed((await one.run("links", "list", "--domain", ACME)).out)).toHaveProperty("domain", ACME);
  expect((await one.run("links", "list", "--domain", "")).err).toContain("--domain is empty.");
  const { out } = await one.run("export", "--domain", ACME);
  expect(out.split("\r\n")[1]).toMatch(`summer,https://${ACME}/summer,${ACME},`);
});
