import { describe, expect, it } from "vitest";
import {
  type Columns,
  cellsOf as cellsWith,
  columnsOf,
  EXPORT_COLUMNS,
  IMPORT_FIELDS,
  isLeftOut,
  knownColumns,
} from "../../src/lib/import-columns";

const URL = "https://www.example.com/";

/** The hosts of the workspace that a file is imported into. */
const OWN_HOSTS = ["go.example.com", "s.example"];
const cellsOf = (columns: Columns, row: readonly string[]) =>
  cellsWith(columns, row, (host) => OWN_HOSTS.includes(host));

it("a file of this service has every column but those that the service sets", () => {
  const columns = columnsOf(EXPORT_COLUMNS);
  const cells = Object.fromEntries(IMPORT_FIELDS.map((field) => [field, field]));
  expect(cellsOf(columns, EXPORT_COLUMNS)).toEqual(cells);
  expect(columns.ignored).toEqual([]);
});

describe("a file from", () => {
  const TRANSLATED = {
    ...{ slug: "sale", destination_url: URL, title: "T", tags: "x" },
    ...{ activity_group: "Fair", channel: "poster" },
  };

  it.each([
    [
      "a German spreadsheet",
      "Kürzel,Ziel-URL,Titel,Schlagwörter,Gruppe,Kanal,Beginn,Ende,Notiz",
      ["sale", URL, "T", "x", "Fair", "poster", "", "2026-06-01T00:00:00Z", "n"],
      { ...TRANSLATED, ends_at: "2026-06-01T00:00:00Z", note: "n" },
      [],
    ],
    [
      "a German one with other words",
      "Kurzadresse,Adresse,Titel,Startdatum,Enddatum",
      ["sale", URL, "T", "1.5.2026", "31.12.2026"],
      {
        ...{ slug: "sale", destination_url: URL, title: "T" },
        ...{ starts_at: "1.5.2026", ends_at: "31.12.2026" },
      },
      [],
    ],
    [
      "a French one with dates",
      "Lien court,URL de destination,Mots-clés,Date de début,Date de fin",
      ["sale", URL, "x", "1.5.2026", "31.12.2026"],
      {
        ...{ slug: "sale", destination_url: URL, tags: "x" },
        ...{ starts_at: "1.5.2026", ends_at: "31.12.2026" },
      },
      [],
    ],
    [
      "an Italian one with dates",
      "Link breve,Indirizzo,Data inizio,Data di fine",
      ["sale", URL, "1.5.2026", "31.12.2026"],
      { slug: "sale", destination_url: URL, starts_at: "1.5.2026", ends_at: "31.12.2026" },
      [],
    ],
    [
      "a German one with a postal address",
      "Adresse,Ziel",
      ["Marktplatz 1", URL],
      { destination_url: URL },
      ["Adresse"],
    ],
    [
      "a French one",
      "Lien court,URL de destination,Titre,Étiquettes,Groupe,Canal,Début,Fin",
      ["sale", URL, "T", "x", "Fair", "poster", "", ""],
      TRANSLATED,
      [],
    ],
    [
      "a Spanish one",
      "Enlace corto,Destino,Título,Etiquetas,Grupo,Canal,Inicio,Fin",
      ["sale", URL, "T", "x", "Fair", "poster", "", ""],
      TRANSLATED,
      [],
    ],
    [
      "an Italian one",
      "Link breve,Destinazione,Titolo,Etichette,Gruppo,Canale,Inizio,Fine",
      ["sale", URL, "T", "x", "Fair", "poster", "", ""],
      TRANSLATED,
      [],
    ],
    [
      "Bitly",
      "Link,Custom Link,Destination URL,Title,Tags,Created",
      ["bit.ly/3xYz", "", URL, "T", "x", "2026"],
      { slug: "3xYz", destination_url: URL, title: "T", tags: "x", created_at: "2026" },
      [],
    ],
    [
      "Bitly with a custom back-half",
      "created_at,link,custom_bitlinks,long_url,title,tags,archived",
      [
        "2026",
        "https://bit.ly/3xYz",
        "https://go.example.com/sale,https://bit.ly/other",
        URL,
        "T",
        "",
        "false",
      ],
      {
        slug: "sale",
        old_slugs: "other",
        domain: "go.example.com",
        destination_url: URL,
        title: "T",
        status: "active",
        created_at: "2026",
      },
      [],
    ],
    [
      "Dub",
      "Short link,Destination URL,Title,Tags,utm_source,utm_term,Clicks",
      ["https://dub.sh/sale", URL, "T", "x", "s", "t", "5"],
      {
        ...{ slug: "sale", destination_url: URL, title: "T", utm_source: "s", utm_term: "t", tags: "x" },
        clicks_before: "5",
      },
      [],
    ],
    [
      "Dub's interface",
      "id,domain,key,url,shortLink,archived,title,description",
      ["1", "dub.sh", "sale", URL, "https://dub.sh/sale", "true", "T", "long"],
      { slug: "sale", destination_url: URL, title: "T", status: "archived" },
      ["id", "description"],
    ],
    [
      "Short.io",
      "originalURL,path,title,tags,utmSource,shortURL,expiresAt,expiredURL,createdAt,clicks,humanClicks",
      [
        ...[URL, "/sale", "T", "x;y", "s", "https://s.io/sale", "2026-08-31T22:00:00.000Z", `${URL}over`],
        ...["2024-03-05T13:30:00.000Z", "12", "9"],
      ],
      {
        created_at: "2024-03-05T13:30:00.000Z",
        clicks_before: "12",
        slug: "sale",
        destination_url: URL,
        title: "T",
        utm_source: "s",
        tags: "x;y",
        ends_at: "2026-08-31T22:00:00.000Z",
        ended_url: `${URL}over`,
      },
      ["humanClicks"],
    ],
    [
      "Rebrandly",
      "id,title,slashtag,destination,shortUrl,domain.fullName,clicks",
      ["1", "T", "sale", URL, "go.example.com/sale", "go.example.com", "5"],
      { slug: "sale", domain: "go.example.com", destination_url: URL, title: "T", clicks_before: "5" },
      ["id"],
    ],
    [
      "Shlink",
      "createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits",
      ["2026", "", "sale", "https://s.example/sale", URL, "T", "x|y", "5"],
      {
        ...{ slug: "sale", domain: "s.example", destination_url: URL, title: "T", tags: "x|y" },
        ...{ created_at: "2026", clicks_before: "5" },
      },
      [],
    ],
    [
      "Kutt",
      "address,target,description,visit_count,created_at",
      ["sale", URL, "D", "3", "2026"],
      { slug: "sale", destination_url: URL, title: "D", created_at: "2026", clicks_before: "3" },
      [],
    ],
    [
      "YOURLS",
      "keyword,url,title,timestamp,ip,clicks",
      ["sale", URL, "T", "2026", "127.0.0.1", "3"],
      { slug: "sale", destination_url: URL, title: "T", created_at: "2026", clicks_before: "3" },
      ["ip"],
    ],
    [
      "YOURLS's export",
      "source,target,hits",
      ["sale", URL, "3"],
      { slug: "sale", destination_url: URL, clicks_before: "3" },
      [],
    ],
  ])("%s is understood", (_, heading, row, cells, ignored) => {
    const columns = columnsOf(heading.split(","));
    expect(cellsOf(columns, row)).toEqual(cells);
    expect(columns.ignored).toEqual(ignored);
  });

  it("another service names domains that are ours, and is not refused for those that are not", () => {
    const columns = columnsOf(["Domain", "Key", "Destination URL"]);
    expect(cellsOf(columns, ["go.example.com", "sale", URL]).domain).toBe("go.example.com");
    expect(cellsOf(columns, ["dub.sh", "sale", URL]).domain).toBeUndefined();
    const ours = columnsOf(["domain", "slug", "destination_url"]);
    expect(cellsOf(ours, ["go.other.example", "sale", URL]).domain).toBe("go.other.example");
  });

  it("the host of further short URLs stands before their slugs where it is another of ours", () => {
    const cell = "https://go.example.com/a,https://s.example/b,https://go.example.com/c,https://bit.ly/d";
    expect(cellsOf(columnsOf(["url", "link"]), [URL, cell])).toMatchObject({
      domain: "go.example.com",
      slug: "a",
      old_slugs: "s.example/b c d",
    });
  });

  it("headings are matched without regard to case, spaces, underscores and hyphens", () => {
    const columns = columnsOf(["Long-URL", " SHORT_LINK ", "Utm Source", "", "  ", "nothing"]);
    expect([...columns.places]).toEqual([
      ["slug", [1]],
      ["destination_url", [0]],
      ["utm_source", [2]],
    ]);
    expect(columns.ignored).toEqual(["nothing"]);
  });

  it("an unknown column is the field that a person has matched it to, unless another column is", () => {
    const matched = new Map([
      [0, "note"],
      [1, "title"],
      [2, "title"],
      [3, "utm_source"],
    ] as const);
    const columns = columnsOf(["url", "Name", "Caption"], matched);
    expect([...columns.places]).toEqual([
      ["destination_url", [0]],
      ["title", [1]],
    ]);
    expect(columns.ignored).toEqual(["Caption"]);
  });

  it.each([
    ["Total clicks", true],
    [" ", true],
    ["Title", false],
  ])("whether a column %j is known to have no field: %s", (name, isKnown) => {
    expect(isLeftOut(name)).toBe(isKnown);
  });

  it("only known headings count", () => {
    expect(knownColumns(["URL", "Title", "nothing", ""])).toBe(2);
  });

  it("the visits that this service counts are ignored in silence only in its own files, the reasons in any", () => {
    const given = ["destination_url", "errors", "scans"];
    expect(columnsOf(["utm_campaign_origin", ...given]).ignored).toEqual([]);
    expect(columnsOf(given).ignored).toEqual(["scans"]);
  });

  it("the clicks that this service has counted are not those before a move", () => {
    const counted = columnsOf(["utm_campaign_origin", "destination_url", "clicks"]);
    expect([counted.places.has("clicks_before"), counted.ignored]).toEqual([false, []]);
    const both = columnsOf(["utm_campaign_origin", "destination_url", "clicks", "clicks_before"]);
    expect(both.places.get("clicks_before")).toEqual([3]);
  });

  it("of several columns with clicks, those in all are taken", () => {
    const columns = columnsOf(["url", "Clicks", "Unique clicks", "Total clicks"]);
    expect(columns.places.get("clicks_before")).toEqual([3]);
    expect(columns.ignored.filter((name) => !isLeftOut(name))).toEqual([]);
  });
});

it.each([
  ["TRUE", "archived"],
  ["yes", "archived"],
  ["1", "archived"],
  ["No", "active"],
  ["0", "active"],
  ["perhaps", "perhaps"],
])("a link of a file whose column “archived” says %s has the status %s", (answer, status) => {
  expect(cellsOf(columnsOf(["url", "archived"]), [URL, answer]).status).toBe(status);
});

it("a status goes before an answer in the column “archived”", () => {
  expect(cellsOf(columnsOf(["status", "archived"]), ["active", "yes"]).status).toBe("active");
});

it("old slugs come before further short URLs of the link", () => {
  const columns = columnsOf(["old_slugs", "custom_bitlinks"]);
  expect(cellsOf(columns, ["a b", "https://bit.ly/c,https://bit.ly/d"])).toEqual({
    slug: "c",
    old_slugs: "a b d",
  });
});

it("a row that ends early has empty cells", () => {
  expect(cellsOf(columnsOf(["url", "title"]), [URL])).toEqual({ destination_url: URL });
});

it("line breaks in a cell become spaces", () => {
  const columns = columnsOf(["url", "title"]);
  expect(cellsOf(columns, [URL, " one \n\n two\n"])).toEqual({ destination_url: URL, title: "one two" });
});

it("a note keeps its line breaks", () => {
  expect(cellsOf(columnsOf(["url", "note"]), [URL, " one\ntwo\n"]).note).toBe("one\ntwo");
});

it("an empty cell clears its field in a file that updates links, but not a status", () => {
  const columns = columnsOf(["url", "title", "status"]);
  expect(cellsWith(columns, [URL, "", ""], () => false, true)).toEqual({ destination_url: URL, title: "" });
});

it("a cell of a million characters is parsed quickly", () => {
  for (const part of ["/", '"', "a.", " ", "\n", "a/"]) {
    const cell = part.repeat(1_000_000);
    expect(cellsOf(columnsOf(["url", "slug", "title"]), [URL, cell, cell]).destination_url).toBe(URL);
  }
});
