import { describe, expect, it } from "vitest";
import { withField } from "./problems";
import { DESTINATION, parsed } from "./setup";

const EXAMPLE = `version: 1
name: site                      # owns the external ids "site:*"
defaults: { group: summer-2026, tags: [Website], utm: { source: site } }
on_removed: archive             # archive | delete | keep
links:
  home-hero:                    # stable key: a new slug is a rename, not a new link
    slug: summer
    destination: https://www.example.com/sale
    title: Summer sale
    channel: poster
    tags: [Print, Partner]      # the full set
    utm: { campaign: inherit }  # a text, or inherit; absent leaves it alone
`;

const RULE = {
  destination_url: DESTINATION,
  countries: null,
  devices: null,
  languages: null,
  starts_at: null,
  ends_at: null,
  share: null,
};

const fieldsOf = (...lines: string[]) => parsed(withField(...lines)).links[0]?.fields;

describe("a file", () => {
  it("has its links with the defaults applied", () => {
    const file = parsed(EXAMPLE);
    const fields = {
      slug: "summer",
      destination_url: "https://www.example.com/sale",
      title: "Summer sale",
      channel: "poster",
      activity_group_id: "summer-2026",
      tag_names: ["Print", "Partner"],
      utm_source: "site",
      utm_campaign: null,
    };
    expect(file).toMatchObject({ name: "site", onRemoved: "archive" });
    expect(file.links).toEqual([{ key: "home-hero", fields }]);
    expect(["slug", "group", "ends_at"].map((field) => file.lineOf("home-hero", field))).toEqual([7, 3, 6]);
  });

  it("archives removed links unless it says otherwise", () => {
    expect(parsed("version: 1\nname: s\nlinks: {}")).toMatchObject({ onRemoved: "archive", links: [] });
    expect(parsed("version: 1\nname: s\non_removed: keep\nlinks: {}").onRemoved).toBe("keep");
  });

  it("leaves absent fields alone", () => {
    expect(fieldsOf()).toEqual({ destination_url: DESTINATION });
  });

  it.each([
    ["title: null", { title: null }],
    ["title:", { title: null }],
    ['title: ""', { title: null }],
    ['title: "  "', { title: null }],
    ["channel: ~", { channel: null }],
    ["group: null", { activity_group_id: null }],
    ["tags: null", { tag_names: [] }],
    ["tags: []", { tag_names: [] }],
    ["rules: null", { rules: [] }],
    ["rules: []", { rules: [] }],
    ["utm: { source: null }", { utm_source: null }],
    ["utm: { campaign: null }", { utm_campaign: null }],
    [
      "utm: null",
      {
        ...{ utm_source: null, utm_medium: null, utm_campaign: null },
        ...{ utm_term: null, utm_content: null },
      },
    ],
    ["utm: { term: null, content: c }", { utm_term: null, utm_content: "c" }],
  ])("clears a field: %s", (line, fields) => {
    expect(fieldsOf(line)).toEqual({ destination_url: DESTINATION, ...fields });
  });

  it.each([
    ["title: '  Sale '", { title: "Sale" }],
    ["title: |\n      Sale", { title: "Sale" }],
    ["utm: { campaign: sale }", { utm_campaign: "sale" }],
    ["tags: [Print, print, PRINT, Web]", { tag_names: ["Print", "Web"] }],
    [`tags: [${Array(51).fill("Print, print")}]`, { tag_names: ["Print"] }],
    ["title: 'on'", { title: "on" }],
    ["title: yes", { title: "yes" }],
    ["title: !!str 404", { title: "404" }],
  ])("reads a value as the service would: %s", (line, fields) => {
    expect(fieldsOf(line)).toEqual({ destination_url: DESTINATION, ...fields });
  });

  it("reads rules in the form that the service keeps", () => {
    const rule = `{ languages: [fr, fr], countries: [], starts_at: 2026-06-01T08:00:00+02:00, destination: ${DESTINATION} }`;
    expect(fieldsOf(`rules: [${rule}, { destination: ${DESTINATION}, countries: [NO], share: 1 }]`)).toEqual({
      destination_url: DESTINATION,
      rules: [
        { ...RULE, languages: ["fr"], starts_at: "2026-06-01T06:00:00.000Z" },
        { ...RULE, countries: ["NO"], share: 1 },
      ],
    });
  });

  it("lets a link replace the defaults, also by null", () => {
    const file = parsed(`version: 1
name: site
defaults: { group: summer, channel: web, tags: [One, Two], utm: { source: site, medium: web, campaign: x } }
links:
  plain: { destination: ${DESTINATION} }
  own: { destination: ${DESTINATION}, group: null, channel: mail, tags: [Three], utm: { medium: null } }
`);
    expect(file.links.map(({ fields }) => fields)).toEqual([
      {
        destination_url: DESTINATION,
        activity_group_id: "summer",
        channel: "web",
        tag_names: ["One", "Two"],
        utm_source: "site",
        utm_medium: "web",
        utm_campaign: "x",
      },
      {
        destination_url: DESTINATION,
        activity_group_id: null,
        channel: "mail",
        tag_names: ["Three"],
        utm_source: "site",
        utm_medium: null,
        utm_campaign: "x",
      },
    ]);
  });

  it("keeps keys as they are written", () => {
    const keys = ["404", "1e3", "true", "null", "constructor", "toString", "a.b_c-d"];
    const links = keys.map((key) => `  ${key}: { destination: ${DESTINATION} }`).join("\n");
    expect(parsed(`version: 1\nname: s\nlinks:\n${links}`).links.map(({ key }) => key)).toEqual(keys);
  });

  it("reads anchors and aliases", () => {
    const file = parsed(`version: 1
name: site
links:
  a: &a { destination: ${DESTINATION}, tags: &tags [One] }
  b: *a
  c: { destination: ${DESTINATION}, tags: *tags }
`);
    expect(file.links.map(({ fields }) => fields)).toEqual(
      Array(3).fill({ destination_url: DESTINATION, tag_names: ["One"] }),
    );
  });

  it("may have a byte order mark and Windows line ends", () => {
    expect(parsed(`\uFEFF${EXAMPLE.replaceAll("\n", "\r\n")}`).links).toEqual(parsed(EXAMPLE).links);
  });
});
