import { createApiKey } from "../../../src/access/keys";
import { addMember } from "../../../src/access/members";
import { createSignInLink } from "../../../src/access/sessions";
import { parseConfig } from "../../../src/config";
import { type Env, type ServiceContext, systemRandom } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { createWorkspace, getWorkspace } from "../../../src/resources/workspaces/workspace-service";
import worker from "../../../src/worker";
import { openDatabase } from "./database";

// Runs the Worker in plain Node, whose heap has a limit that ends the process. The name of a scenario is its argument.

const BASE = "https://api.example";
const LONG = 2_000;
const PLAIN_LINKS = 500;
const LINKS_WITH_RULES = 1_000;
const ROWS_OF_FILE = 4_300;
const AT_ONCE = 4;
const LINKS_OF_PAGE = 100;
const LINKS_OF_CHANGE = 250;
const READERS = 8;

// Its lines would be mixed with the answer.
console.log = () => undefined;

const { sqlite, binding } = openDatabase();
const values = new Map<string, string>();
const KV = {
  get: async (key: string) => values.get(key) ?? null,
  put: async (key: string, value: string) => void values.set(key, value),
  delete: async (key: string) => void values.delete(key),
} as unknown as KVNamespace;
const env: Env = { DB: binding, KV, BASE_URL: BASE, CLOUDFLARE_PLAN: "paid", CLICK_PACK_SECONDS: "0" };
const ctx: ServiceContext = {
  db: createDatabase(binding),
  kv: KV,
  config: parseConfig(env, BASE),
  actor: "operator",
  now: Date.now,
  random: systemRandom,
  waitUntil: () => undefined,
};

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const execution = { waitUntil: () => undefined, passThroughOnException: () => undefined };
  const request = new Request(BASE + path, { redirect: "manual", ...init });
  return Promise.resolve(worker.fetch(request as never, env, execution as never));
}

/** A new workspace. */
async function make(slug: string) {
  await createWorkspace(ctx, { name: slug, slug });
  return getWorkspace(ctx, slug);
}

const entered = new Map<number, { path: string; headers: Record<string, string> }>();

/** Signs in as a member of a new workspace with many long links. */
async function enter(slug: string, role: "editor" | "viewer", links: boolean) {
  const workspace = await make(slug);
  if (links) makeLinks(workspace.rowId, PLAIN_LINKS, LINKS_WITH_RULES);
  const email = `ada@${slug}.example`;
  await addMember({ ...ctx, workspace }, { email, role });
  const { token } = await createSignInLink(ctx, email);
  const signedIn = await ask("/app/sign-in", {
    method: "POST",
    headers: { origin: BASE },
    body: new URLSearchParams({ token }),
  });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const member = { path: `/app/${slug}`, headers: { cookie, origin: BASE }, workspaceId: workspace.rowId };
  entered.set(workspace.rowId, member);
  return member;
}

function makeLinks(workspaceId: number, plain: number, withRules: number, letter = "b"): void {
  const insert = sqlite.prepare(
    `insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host, rules,
      utm_campaign_origin, created_at, created_by, updated_at) values (?, ?, ?, ?, ?5, ?5, 'a.example', ?6, 'inherited', 1, 'operator', 1)`,
  );
  const url = (text: string) => `https://a.example/${text.repeat(LONG)}`;
  const rule = { destination_url: url(letter), countries: ["CH"], devices: null, languages: null };
  const rules = JSON.stringify(Array(10).fill({ ...rule, starts_at: null, ends_at: null, share: null }));
  sqlite.exec("begin");
  for (let index = 0; index < plain + withRules; index++) {
    const slug = `w${workspaceId}-${index}`;
    const id = `01${String(workspaceId).padStart(4, "0")}${String(index).padStart(20, "0")}`;
    insert.run(id, workspaceId, slug, slug, url("c"), index < plain ? null : rules);
  }
  sqlite.exec("commit");
  sqlite.prepare("update workspaces set active_links = ? where id = ?").run(plain + withRules, workspaceId);
}

const outside = () => process.memoryUsage().arrayBuffers;

/** The most bytes in use outside of the heap so far: bodies and parts of files. What is only not collected yet does not count. */
let mostOutside = 0;
const note = () => {
  if (outside() <= mostOutside) return;
  globalThis.gc?.();
  mostOutside = Math.max(mostOutside, outside());
};

/** Reads an answer as a client of some speed does. */
async function read(response: Response): Promise<number> {
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    note();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return bytes;
}

const inParallel = async (requests: readonly (() => Promise<Response>)[]) =>
  Promise.all(
    requests.map(async (request) => {
      const response = await request();
      return { status: response.status, bytes: await read(response) };
    }),
  );

async function download(file: string) {
  const { path, headers } = await enter("one", "viewer", true);
  return inParallel(Array(AT_ONCE).fill(() => ask(path + file, { headers })));
}

/** Programs of several workspaces, which read the longest pages at once. */
async function readLists() {
  const asked = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, number) => {
      const workspace = await make(`l${number}`);
      makeLinks(workspace.rowId, 0, LINKS_OF_PAGE, "\u6f22");
      const { key } = await createApiKey({ ...ctx, workspace }, { name: "reader" });
      const read = () =>
        ask(`/api/v1/links?per_page=${LINKS_OF_PAGE}`, { headers: { authorization: `Bearer ${key}` } });
      return Array(READERS).fill(read);
    }),
  );
  return inParallel(asked.flat());
}

const BOUNDARY = "the-boundary";

/** A form with a file of nearly 10 MB, whose lines are made when they are read, so that the sender holds nothing of it. */
function* partsOfUpload(number: number): Generator<string> {
  const header = (rest: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${rest}\r\n\r\n`;
  yield `${header('name="existing"')}refuse\r\n`;
  yield `${header('name="file"; filename="links.csv"')}destination_url,slug,title\n`;
  for (let index = 0; index < ROWS_OF_FILE; index++)
    yield `https://a.example/${"d".repeat(LONG)}?${number},x${number}-${index},Ä ${"e".repeat(200)}\n`;
  yield `\r\n--${BOUNDARY}--\r\n`;
}

function uploadOf(number: number): RequestInit {
  const encoder = new TextEncoder();
  const parts = partsOfUpload(number);
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const { done, value } = parts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return { body, duplex: "half" } as RequestInit;
}

async function importFiles() {
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  const sent = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, number) => {
      const { path, headers } = await enter(`i${number}`, "editor", false);
      return [0, 1].map((twice) => () => {
        const init = { method: "POST", headers: { ...headers, "content-type": type } };
        return ask(`${path}/import`, { ...init, ...uploadOf(2 * number + twice) });
      });
    }),
  );
  return inParallel(sent.flat());
}

/** Members of several workspaces, who archive as many of their longest links as a request may, at once. */
async function changeLinks() {
  const asked = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, number) => {
      const { path, headers, workspaceId } = await enter(`c${number}`, "editor", false);
      makeLinks(workspaceId, 0, LINKS_OF_CHANGE, "\u6f22");
      const body = new URLSearchParams({ change: "archive", all: "true" });
      return () => ask(`${path}/links/change`, { method: "POST", headers, body });
    }),
  );
  return inParallel(asked);
}

/** Who has archived their longest links undoes that, at once with others. */
async function undoChanges() {
  const [changed] = [await changeLinks()];
  if (changed.some(({ status }) => status !== 303)) return changed;
  const batches = sqlite.prepare(
    "select workspace_id, max(batch) as batch from audit_log where batch is not null group by 1",
  );
  const asked = batches.all().map(({ workspace_id: id, batch }) => {
    const { path, headers } = entered.get(Number(id)) ?? {};
    return () =>
      ask(`${path}/audit/${batch}/undo`, {
        method: "POST",
        headers: headers ?? {},
        body: new URLSearchParams(),
      });
  });
  return inParallel(asked);
}

const SCENARIOS: Record<string, () => Promise<unknown>> = {
  "export.csv": () => download("/export.csv"),
  "list.csv": () => download("/links/list.csv"),
  import: importFiles,
  links: readLists,
  change: changeLinks,
  undo: undoChanges,
};

setInterval(note, 2);
const answers = await SCENARIOS[process.argv[2] ?? ""]?.();
process.stdout.write(JSON.stringify({ answers, mostOutsideMb: mostOutside / 1024 ** 2 }));
process.exit(0);
