import { describe, expect, it } from "vitest";
import { takeDown } from "../../src/operations/moderation/takedown";
import { addDomain } from "../../src/resources/domains/domain-service";
import { makeWorkspace, SHORT, send, serviceContext, testEnv } from "../harness";
import { PAGE_HEADERS } from "./page-headers";

/** As native readers say them. */
const HEADINGS = [
  [
    "en",
    "This link leads nowhere",
    "This link is not open yet",
    "This link has ended",
    "This link was taken down",
    "Where this link leads",
    "Continue",
  ],
  [
    "de",
    "Dieser Link führt nirgendwohin",
    "Dieser Link ist noch nicht offen",
    "Dieser Link ist abgelaufen",
    "Dieser Link wurde gesperrt",
    "Wohin dieser Link führt",
    "Weiter",
  ],
  [
    "fr",
    "Ce lien ne mène nulle part",
    "Ce lien n’est pas encore ouvert",
    "Ce lien est arrivé à son terme",
    "Ce lien a été retiré",
    "Où mène ce lien",
    "Continuer",
  ],
  [
    "it",
    "Questo link non porta da nessuna parte",
    "Questo link non è ancora attivo",
    "Questo link è scaduto",
    "Questo link è stato rimosso",
    "Dove porta questo link",
    "Continua",
  ],
  [
    "es",
    "Este enlace no lleva a ninguna parte",
    "Este enlace aún no está disponible",
    "Este enlace ha finalizado",
    "Este enlace ha sido retirado",
    "Adónde lleva este enlace",
    "Continuar",
  ],
  [
    "pt",
    "Este link não leva a lugar nenhum",
    "Este link ainda não está disponível",
    "Este link terminou",
    "Este link foi removido",
    "Para onde leva este link",
    "Continuar",
  ],
  [
    "nl",
    "Deze link leidt nergens heen",
    "Deze link is nog niet actief",
    "Deze link is verlopen",
    "Deze link is verwijderd",
    "Waar deze link heen gaat",
    "Doorgaan",
  ],
  [
    "pl",
    "Ten link donikąd nie prowadzi",
    "Ten link nie jest jeszcze aktywny",
    "Ten link wygasł",
    "Ten link został zablokowany",
    "Dokąd prowadzi ten link",
    "Dalej",
  ],
] as const;
const MAX_BYTES = 6 * 1024;

const ws = await makeWorkspace();
const open = await ws.link({ destination_url: "https://www.example.com/" });
const early = await ws.link({ starts_at: "2999-01-01T00:00:00Z" });
const ended = await ws.link({ ends_at: "2020-01-01T00:00:00Z" });
const moved = await ws.link({ ends_at: "2020-01-01T00:00:00Z", ended_url: "https://next.example/" });
const drawn = await ws.link({ rules: [{ destination_url: "https://half.example/", share: 50 }] });
const down = await ws.link();
await takeDown(serviceContext(), down.id);
const { host } = await addDomain(ws.ctx, `l${crypto.randomUUID().slice(0, 8)}.example`, true);

async function read(path: string, language: string | null, environment = testEnv) {
  const url = path.startsWith("https:") ? path : SHORT + path;
  const headers = language === null ? {} : { "accept-language": language };
  const answer = await send(new Request(url, { headers, redirect: "manual" }), environment);
  const text = await answer.text();
  const [, heading] = /<h1>(.*)<\/h1>/.exec(text) ?? [];
  const [, lang] = /^<!doctype html>\n<html lang="([a-z]+)" dir="ltr">/.exec(text) ?? [];
  return { ...answer, status: answer.status, headers: answer.headers, text, heading, lang };
}

describe.each(HEADINGS)("in %s", (language, ...headings) => {
  const [unknown, notOpen, over, takenDown, preview, wayOn] = headings;
  const pages: [path: string, status: number, heading: string][] = [
    ["/nobody-has-this", 404, unknown],
    ["/no/slug", 404, unknown],
    [`https://${host}/nobody`, 404, unknown],
    [`/${early.slug}`, 404, notOpen],
    [`/${early.slug}+`, 404, notOpen],
    [`/${ended.slug}`, 410, over],
    [`/${moved.slug}+`, 410, over],
    [`/${down.slug}`, 404, takenDown],
    [`/${open.slug}+`, 200, preview],
    [`/${drawn.slug}+`, 200, preview],
    ["/", 200, "Waymark"],
    [`https://${host}/`, 200, "Waymark"],
  ];

  it.each(pages)("%s is %s with its heading, never cached, and small", async (path, status, heading) => {
    const page = await read(path, language);
    expect([page.status, page.heading, page.lang]).toEqual([status, heading, language]);
    expect(Object.fromEntries(page.headers)).toMatchObject(PAGE_HEADERS);
    expect(new TextEncoder().encode(page.text).length).toBeLessThanOrEqual(MAX_BYTES);
    expect(page.text).not.toMatch(/<script|<img|<link|src=|url\(|undefined|\{\}/i);
  });

  it("the preview has a way on, and a page of what has moved its address", async () => {
    expect((await read(`/${open.slug}+`, language)).text).toContain(
      `<a class="go" href="/${open.slug}" rel="noreferrer">${wayOn}</a>`,
    );
    expect((await read(`/${moved.slug}+`, language)).text).toContain("<code>https://next.example/</code>");
  });

  it("whom to ask about a takedown is the contact, or the organisation", async () => {
    const [named, unnamed] = [
      await read(`/${down.slug}`, language),
      await read(`/${down.slug}`, language, { ...testEnv, ABUSE_CONTACT: "" }),
    ];
    expect(named.text).toContain('<a href="mailto:abuse@s.example">abuse@s.example</a>');
    expect(unnamed.text).not.toContain("<a ");
    expect(unnamed.lang).toBe(language);
  });

  it("JSON stays English", async () => {
    const headers = { accept: "application/json", "accept-language": language };
    const answer = await send(new Request(`${SHORT}/${ended.slug}`, { headers }));
    expect([await answer.json(), answer.headers.get("vary")]).toEqual([
      { message: "This link has ended." },
      "Accept, Accept-Language",
    ]);
  });
});

it.each([
  [null, "en"],
  ["", "en"],
  ["*", "en"],
  ["ja", "en"],
  ["ja, ru;q=0.9", "en"],
  ["de-CH", "de"],
  ["rm-CH, de-CH;q=0.9, fr;q=0.8", "de"],
  ["gsw, fr;q=0.7, it;q=0.8", "it"],
  ["en;q=0.1, pl", "pl"],
  ["de;q=0, nl;q=0.5", "nl"],
  ["pt-BR,pt;q=0.9,en;q=0.8", "pt"],
  ["ES", "es"],
  ["<script>", "en"],
])("a browser that accepts %j reads %s", async (accepted, language) => {
  expect((await read("/nobody-has-this", accepted)).lang).toBe(language);
});
