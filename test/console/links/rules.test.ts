import { describe, expect, it } from "vitest";
import { writeVisits } from "../../../src/analytics/write-visits";
import { draftOfRule, toRuleInputs } from "../../../src/console/links/rule-form";
import { COUNTRY_CODES, LANGUAGE_CODES } from "../../../src/lib/countries";
import { ruleKey, toRules } from "../../../src/lib/visitor-rules";
import { discover } from "../../../src/operations/health/health-job";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { serviceContext, testEnv } from "../../harness";
import { runSql } from "../../sql";
import { makeMember, type Page, signInAs } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";

const APPS = { destination_url: "https://apps.example.com/", devices: ["ios"] };

/** What the form of a page sends: all values of each name, which a list of conditions repeats. */
function sentBy({ text }: Pick<Page, "text">): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  const form = text.slice(text.indexOf('id="rules-form"'), text.indexOf('id="landing"'));
  for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
    const [, name = ""] = /\sname="([^"]*)"/.exec(tag) ?? [];
    const [, value = ""] = /\svalue="([^"]*)"/.exec(tag) ?? [];
    fields[name] = [...(fields[name] ?? []), value.replaceAll("&quot;", '"')];
  }
  return fields;
}

async function makeLink(rules: object[] = []) {
  const { workspace, browser } = await makeMember("editor");
  const link = await workspace.link({ rules });
  const page = `/app/${workspace.slug}/links/${link.id}`;
  const read = async () => (await workspace.call("GET", `/api/v1/links/${link.id}`)).body;
  return { workspace, browser, link, page, path: `${page}/rules`, read };
}

describe("the page of a link's rules", () => {
  it("is a form without scripts: rules are added from what is usual, filled in, reordered and removed", async () => {
    const { browser, path, page, read } = await makeLink();
    expect((await browser.get(page)).text).toContain(`href="${path}"`);
    const first = await browser.get(path);
    expect(wordsIn(first.text)).toContain("Everybody → https://www.example.com/");
    const { etag = "" } = fieldsOf(first);
    const added = await browser.post(path, { etag, act: "add.apps" });
    expect(added.status).toBe(200);
    expect(fieldsOf(added)).toMatchObject({ etag, "rules.0.devices": "ios", "rules.1.devices": "android" });
    const typed = {
      etag,
      "rules.0.destination_url": "apps.example.com",
      "rules.0.devices": "ios",
      "rules.1.destination_url": "https://fr.example.com/",
      "rules.1.countries": "Switzerland, at",
      "rules.1.languages": "French",
      "rules.2.destination_url": "https://gone.example.com/",
      "rules.2.share": "50",
    };
    const moved = await browser.post(path, { ...typed, act: "up.1" });
    expect(fieldsOf(moved)).toMatchObject({
      "rules.0.destination_url": "https://fr.example.com/",
      "rules.1.devices": "ios",
    });
    expect(wordsIn(moved.text)).toContain("Visitors from Switzerland × or Austria × who read French ×");
    expect(wordsIn(moved.text)).toContain("Not saved yet.");
    expect((await read()).rules).toEqual([]);
    const dragged = await browser.post(path, { ...sentBy(moved), act: "move.2.0" });
    expect(fieldsOf(dragged)).toMatchObject({ "rules.0.share": "50", "rules.2.devices": "ios" });
    const back = await browser.post(path, { ...sentBy(dragged), act: "move.0.2" });
    expect(fieldsOf(back)).toMatchObject({ "rules.1.devices": "ios", "rules.2.share": "50" });
    const removed = await browser.post(path, { ...sentBy(moved), act: "remove.2" });
    const saved = await browser.post(path, sentBy(removed));
    expect([saved.status, saved.location]).toEqual([303, page]);
    expect((await read()).rules).toMatchObject([
      { destination_url: "https://fr.example.com/", countries: ["CH", "AT"], languages: ["fr"] },
      { destination_url: "https://apps.example.com", devices: ["ios"] },
    ]);
    expect(wordsIn((await browser.get(page)).text)).toContain("Rules lead some visitors elsewhere.");
    const again = await browser.get(path);
    expect(wordsIn(again.text)).toContain("Visitors from Switzerland or Austria who read French →");
    expect(wordsIn(again.text)).toContain("Visitors on iPhone or iPad →");
  });

  it("adds conditions one by one, and removes them by their chips", async () => {
    const { browser, path, read } = await makeLink([APPS]);
    const open = async (before: Page, act: string, typed = {}) =>
      browser.post(path, { ...sentBy(before), ...typed, act });
    const asked = await open(await browser.get(path), "open.0.countries");
    const [field = ""] = /<input [^>]*id="rules\.0\.countries"[^>]*>/.exec(asked.text) ?? [];
    expect([field.includes('list="countries"'), field.includes("autofocus")]).toEqual([true, true]);
    // The key Enter presses the first button, which takes what is typed.
    expect(/<button [^>]*name="act"[^>]*>/.exec(asked.text)?.[0]).toContain('value="take"');
    const one = await open(asked, "take", { "rules.0.countries": ["Schweiz"] });
    const two = await open(one, "open.0.countries", { "rules.0.countries": ["CH", "Autriche", "Atlantis"] });
    expect(wordsIn(two.text)).toContain("Visitors from Switzerland × or Austria × on iPhone or iPad ×");
    expect(fieldsOf(two)).toMatchObject({ "rules.0.countries": "Atlantis" });
    expect(wordsIn(two.text)).toContain("“Atlantis” is not a country.");
    const known = { "rules.0.countries": ["CH", "AT"] };
    const dropped = await open(two, "drop.0.countries.CH", known);
    expect(wordsIn(dropped.text)).toContain("Visitors from Austria × on iPhone or iPad ×");
    const without = await open(dropped, "drop.0.devices.ios");
    expect(wordsIn(without.text)).toContain("Visitors from Austria ×");
    expect((await browser.post(path, sentBy(without))).status).toBe(303);
    expect((await read()).rules).toMatchObject([{ countries: ["AT"], devices: null }]);
  });

  it("asks for the country or language of a new rule, and offers nothing to save before there is one", async () => {
    const { browser, path, read } = await makeLink();
    expect((await browser.get(path)).text).not.toContain(">Save<");
    for (const [act, name, text] of [
      ["add.country", "countries", "Schweiz"],
      ["add.language", "languages", "Deutsch"],
    ] as const) {
      const added = await browser.post(path, { ...sentBy(await browser.get(path)), act });
      const [field = ""] = new RegExp(`<input [^>]*id="rules\\.0\\.${name}"[^>]*>`).exec(added.text) ?? [];
      expect([field.includes("autofocus"), field.includes('value=""')]).toEqual([true, true]);
      const typed = { [`rules.0.${name}`]: [text], "rules.0.destination_url": ["https://one.example.com/"] };
      expect((await browser.post(path, { ...sentBy(added), ...typed })).status).toBe(303);
      expect((await read()).rules).toMatchObject([{ destination_url: "https://one.example.com/" }]);
      const none = await browser.post(path, { ...sentBy(await browser.get(path)), act: "remove.0" });
      expect(none.text).toContain(">Save<");
      expect((await browser.post(path, sentBy(none))).status).toBe(303);
    }
  });

  it("keeps an empty field open, also of a rule that moves", async () => {
    const { browser, path } = await makeLink();
    const send = async (before: Page, act: string) => browser.post(path, { ...sentBy(before), act });
    const device = await send(await browser.get(path), "add.device");
    expect(device.text).toMatch(/<select [^>]*id="rules\.0\.devices"[^>]*autofocus/);
    const asked = await send(await browser.get(path), "add.country");
    const timed = await send(await send(await send(asked, "add.half"), "open.1.starts_at"), "up.1");
    expect(fieldsOf(timed)).toMatchObject({
      "rules.0.share": "50",
      "rules.0.starts_at": "",
      "rules.1.countries": "",
    });
    expect(fieldsOf(timed)).not.toHaveProperty(["rules.0.countries"]);
    expect(wordsIn(timed.text)).toContain("but only this many of 100");
  });

  it("tests the rules as they stand in the form, before they are saved", async () => {
    const { browser, path } = await makeLink();
    const { etag = "" } = fieldsOf(await browser.get(path));
    const fields = { etag, "rules.0.destination_url": "https://new.example.com/", act: "test" };
    const landing = async (more: object) => {
      const { text } = await browser.post(path, { ...fields, ...more });
      return wordsIn(text.slice(text.indexOf('id="landing"')));
    };
    const ofSwiss = { "rules.0.countries": "CH", country: "Schweiz" };
    expect(await landing(ofSwiss)).toContain("https://new.example.com/");
    expect(await landing({ ...ofSwiss, country: "Austria" })).not.toContain("https://new.example.com/");
    expect(await landing({})).toContain("Complete the rules, then press “Show”.");
  });

  it("changes nothing for an action that names no rule", async () => {
    const { browser, path } = await makeLink([APPS]);
    const first = await browser.get(path);
    for (const act of [
      "",
      "up.0",
      "up.7",
      "move.0.3",
      "move.4.0",
      "move.0",
      "remove.x",
      "drop.0.share.1",
      "drop.0",
      "what",
      "open",
    ]) {
      const page = await browser.post(path, { ...sentBy(first), act });
      expect([page.status, fieldsOf(page)["rules.0.devices"]]).toEqual([200, "ios"]);
    }
  });

  it("says in plain words what is wrong, and keeps what was typed", async () => {
    const { browser, path, read } = await makeLink();
    const { etag = "" } = fieldsOf(await browser.get(path));
    const refused = await browser.post(path, {
      etag,
      "rules.0.destination_url": "ftp://a.example/",
      "rules.0.countries": "Atlantis",
      "rules.1.destination_url": "https://a.example/",
    });
    expect(refused.status).toBe(422);
    const text = wordsIn(refused.text);
    expect(text).toContain("The destination must use http or https.");
    expect(text).toContain("“Atlantis” is not a country.");
    expect(text).toContain("must have at least one condition.");
    expect(fieldsOf(refused)).toMatchObject({ "rules.0.countries": "Atlantis" });
    expect((await read()).rules).toEqual([]);
  });

  it("does not overwrite a link that has changed meanwhile", async () => {
    const { workspace, browser, link, path, read } = await makeLink([APPS]);
    const { etag = "" } = fieldsOf(await browser.get(path));
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { title: "Changed" } });
    const fields = { etag, "rules.0.destination_url": "https://b.example/", "rules.0.share": "5" };
    const stale = await browser.post(path, fields);
    expect(stale.status).toBe(412);
    // Sent again, the form changes the link as it is now.
    expect((await browser.post(path, { ...fieldsOf(stale) })).status).toBe(303);
    expect((await read()).rules).toMatchObject([{ destination_url: "https://b.example/", share: 5 }]);
  });

  it("shows where a visitor that is described will land", async () => {
    const { browser, path } = await makeLink([
      APPS,
      { destination_url: "https://half.example.com/", share: 50 },
      { destination_url: "https://rest.example.com/", share: 25 },
    ]);
    const landing = async (query: string) => {
      const { text } = await browser.get(`${path}?${query}`);
      return wordsIn(text.slice(text.indexOf('id="landing"')));
    };
    expect(await landing("device=ios")).toContain("https://apps.example.com/");
    const others = await landing("device=desktop&country=ch&language=fr&at=2026-01-01T00:00");
    expect(others).toContain("https://half.example.com/");
    expect(others).toContain("https://www.example.com/");
    expect(others).toContain("Chance decides at each visit.");
    expect(others).toMatch(
      /half\.example\.com\/ 50 of 100 visits https:\/\/rest\.example\.com\/ 12.5 of 100 visits .*www\.example\.com\/ 37.5 of 100 visits/,
    );
  });

  it("tests with the very words that the form takes, and shows the address with its UTM parameters", async () => {
    const { browser, path, workspace, link } = await makeLink([
      { destination_url: "https://de.example.com/", languages: ["de"], countries: ["CH"] },
    ]);
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { utm_source: "mail" } });
    const landing = async (fields: object) => {
      const { text } = await browser.get(`${path}?${new URLSearchParams({ ...fields })}`);
      return wordsIn(text.slice(text.indexOf('id="landing"')));
    };
    for (const [country, language] of [
      ["Switzerland", "German"],
      ["schweiz", "Deutsch"],
      ["Suisse", "allemand"],
      ["Svizzera", "tedesco"],
      ["Suiza", "aleman"],
      ["ch", "de-CH"],
      ["CH", "deu"],
    ] as const) {
      const words = await landing({ country, language });
      expect(words).toContain("https://de.example.com/?utm_source=mail");
      expect(words).not.toContain("https://www.example.com/?utm_source=mail");
    }
    expect(await landing({ country: "France", language: "German" })).toContain(
      "https://www.example.com/?utm_source=mail",
    );
    const refused = await landing({ country: "Switzerlend", language: "Germn" });
    expect(refused).toContain("“Switzerlend” is not a country. Did you mean Switzerland?");
    expect(refused).toContain("“Germn” is not a language. Did you mean German?");
    expect(refused).not.toContain("example.com");
    expect(await landing({ country: "Switzerland, Austria" })).toContain("Enter one country.");
  });

  it("shows what a visitor gets before the start and after the end", async () => {
    const { browser, path, workspace, link } = await makeLink([APPS]);
    const times = { starts_at: "2026-05-01T10:00:00Z", ends_at: "2026-06-01T10:00:00Z" };
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: times });
    const landing = async (at: string) => {
      const { text } = await browser.get(`${path}?device=ios&at=${at}`);
      return wordsIn(text.slice(text.indexOf('id="landing"')));
    };
    expect(await landing("2026-04-30T10:00")).toContain("A page that says that the link is not open yet.");
    expect(await landing("2026-05-30T10:00")).toContain("https://apps.example.com/");
    expect(await landing("2026-06-30T10:00")).toContain("A page that says that the link has ended.");
    const body = { ended_url: "https://over.example.com/" };
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body });
    expect(await landing("2026-06-30T10:00")).toContain("https://over.example.com/ The link has ended then.");
  });

  it("gives every country and language back that it shows", async () => {
    const chunksOf = (codes: Iterable<string>, size: number) =>
      Array.from({ length: Math.ceil([...codes].length / size) }, (_, n) =>
        [...codes].slice(n * size, (n + 1) * size),
      );
    const destination_url = "https://a.example/";
    const rules = toRules([
      ...chunksOf(COUNTRY_CODES, 50).map((countries) => ({ destination_url, countries })),
      ...chunksOf([...LANGUAGE_CODES, "gsw", "zzz"], 20).map((languages) => ({ destination_url, languages })),
    ]);
    const drafts = rules.map((rule) => draftOfRule(rule, "UTC"));
    const conditions = ({
      countries = [],
      languages = [],
    }: Partial<Record<"countries" | "languages", string[] | null>>) => ({
      countries: countries ?? [],
      languages: languages ?? [],
    });
    expect(toRuleInputs(drafts, "UTC").map(conditions)).toEqual(rules.map(conditions));
  });

  it("takes the time of a described visitor in the zone of the workspace", async () => {
    const { browser, path, workspace } = await makeLink([
      { destination_url: "https://fair.example.com/", starts_at: "2026-07-01T10:00:00Z" },
    ]);
    await updateWorkspace(workspace.ctx, { time_zone: "Europe/Zurich" });
    const landsOnFair = async (at: string) => {
      const { text } = await browser.get(`${path}?at=${at}`);
      return wordsIn(text.slice(text.indexOf('id="landing"'))).includes("fair.example.com");
    };
    expect([await landsOnFair("2026-07-01T11:59"), await landsOnFair("2026-07-01T12:00")]).toEqual([
      false,
      true,
    ]);
  });

  it("says that a rule's destination is broken, where destinations are asked", async () => {
    const { path, workspace } = await makeLink([APPS]);
    const asking = { ...testEnv, DESTINATION_HEALTH_CHECK: "on" };
    await discover(serviceContext());
    const { meta } = await runSql`update destination_health set state = 'broken'
      where url = ${APPS.destination_url}`;
    expect(meta.changes).toBe(1);
    const browser = await signInAs(workspace, "viewer", asking);
    expect((await browser.get(path)).text).toContain("badge-broken_destination");
  });

  it("counts visits by rule on the page of the link, and compares a share without other conditions", async () => {
    const HALF = { destination_url: "https://half.example.com/", share: 50 };
    const shownOf = async (rule: object, visits = 6) => {
      const { browser, page, link, read } = await makeLink([rule]);
      const key = ruleKey((await read()).rules[0]);
      const visit = {
        ...{ link: link.id, asset: null, isAfterEnd: false, at: Date.now(), follows: true },
        ...{ agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", referrer: null, country: "CH" },
      };
      const by = (rule: string, count: number) => Array(count).fill({ ...visit, rule });
      await writeVisits(serviceContext(), [...by(key, visits), ...by("", 4), ...by("former", 2)]);
      return wordsIn((await browser.get(page)).text);
    };
    const text = await shownOf(HALF);
    expect(text).toContain("1. https://half.example.com/");
    expect(text).toContain("Rules that the link had before");
    expect(text).toContain("6 of 10 visits went to the rule with a share of 50%.");
    expect(text).toContain("A difference of this size is normal.");
    const exact = await shownOf(HALF, 4);
    expect(exact).toContain("4 of 8 visits went to the rule with a share of 50%.");
    expect(exact).not.toContain("difference of this size");
    const other = await shownOf({ ...HALF, countries: ["CH"] });
    expect(other).toContain("1. https://half.example.com/");
    expect(other).not.toContain("with a share of");
  });
});
