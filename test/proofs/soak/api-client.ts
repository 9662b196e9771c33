import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../load/http";
import { again, anInstance, chance, command, pick, type Soak } from "./soak";
import { begin, type Change, type Slug, unborn } from "./truth";

const PAUSE_MS = 40;
const MAX_TRIES = 10;
const RETRY_MS = 100;
const TAGS = 10;
const MOST_SLUGS = 20;

/** A link in its last confirmed state. */
interface Held {
  id: string;
  slug: string;
  destination: string;
  title: string;
  tags: Set<string>;
  /** All slugs that open the link. */
  slugs: Slug[];
}

interface Outcome extends Answer {
  /** Whether the request was retried, so that an earlier try may have taken effect. */
  isRepeated: boolean;
}

export interface ApiClient {
  run: () => Promise<void>;
  /** Compares the service's links with the confirmed ones. */
  check: () => Promise<void>;
}

/** A client with its own workspace, which checks each answer. */
export async function openApiClient(soak: Soak, name: string): Promise<ApiClient> {
  const { key } = await command(soak, "workspace", name);
  const links = new Map<string, Held>();
  const tags: string[] = [];
  /** Slugs of deleted links, for reuse. */
  const freed: Slug[] = [];
  /** Links and slugs without a confirmed answer, which may exist or not. */
  const doubtful = new Set<string>();
  let made = 0;

  async function call(method: string, path: string, body?: object, key_ = crypto.randomUUID()) {
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(body && { "Content-Type": "application/json" }),
      ...(method === "POST" && { "Idempotency-Key": key_ }),
    };
    for (let tries = 1; ; tries++) {
      soak.count("calls");
      const answer = await soak.http.ask(
        `${soak.url}/api/v1${path}`,
        method,
        { ...headers, ...anInstance() },
        body && JSON.stringify(body),
      );
      if (![409, 503].includes(answer.status) || tries === MAX_TRIES) {
        return { ...answer, isRepeated: tries > 1 || answer.sent > 1 };
      }
      soak.count("calls repeated");
      await sleep(RETRY_MS);
    }
  }

  /** Whether a change was confirmed. A 503 leaves it in doubt, any other answer is wrong. */
  function isConfirmed(what: string, answer: Outcome, statuses: readonly number[], doubt: string): boolean {
    if (statuses.includes(answer.status)) return true;
    if (answer.status === 503) {
      doubtful.add(doubt);
      links.delete(doubt);
      soak.count("writes without an answer");
    } else soak.wrong(`${what}: ${answer.status} ${answer.body}`);
    return false;
  }

  async function create(): Promise<void> {
    const destination = `https://www.example.com/${name}/${++made}`;
    const title = `${name} ${made}`;
    const reused = chance(0.2) ? freed.shift() : undefined;
    const asked = reused ?? (chance(0.5) ? unborn(`${name}-${made}`) : undefined);
    const tagIds = tags.filter(() => chance(0.2));
    const body = { destination_url: destination, title, tag_ids: tagIds, ...(asked && { slug: asked.slug }) };
    const key_ = crypto.randomUUID();
    const sentAt = Date.now();
    const change: Change | undefined = asked && begin([asked], destination, sentAt);
    const answer = await call("POST", "/links", body, key_);
    if (!isConfirmed("create", answer, [201], title)) return;
    const { id, slug } = JSON.parse(answer.body).link;
    const opening = asked ?? unborn(slug);
    (change ?? begin([opening], destination, sentAt)).confirm(Date.now());
    if (asked?.slug !== undefined && asked.slug !== slug) soak.wrong(`create: ${slug}, not ${asked.slug}`);
    links.set(id, { id, slug, destination, title, tags: new Set(tagIds), slugs: [opening] });
    if (reused === undefined) soak.slugs.push(opening);
    if (!chance(0.2)) return;
    const repeated = await call("POST", "/links", body, key_);
    soak.count("calls repeated with their Idempotency-Key");
    if (repeated.status !== 201 || repeated.body !== answer.body || !repeated.headers["idempotent-replayed"])
      soak.wrong(`repeat: ${repeated.status} ${repeated.body}, not ${answer.body}`);
  }

  async function update(held: Held): Promise<void> {
    const destination = `https://www.example.com/${name}/${++made}`;
    const change = begin(held.slugs, destination, Date.now());
    const answer = await call("PATCH", `/links/${held.id}`, { destination_url: destination });
    if (!isConfirmed("update", answer, [200], held.id)) return;
    change.confirm(Date.now());
    held.destination = destination;
  }

  async function rename(held: Held): Promise<void> {
    if (held.slugs.length >= MOST_SLUGS) return;
    const renamed = unborn(`${name}-${++made}`);
    const change = begin([renamed], held.destination, Date.now());
    const answer = await call("PATCH", `/links/${held.id}`, { slug: renamed.slug });
    if (!isConfirmed("rename", answer, [200], held.id)) return;
    change.confirm(Date.now());
    held.slug = renamed.slug;
    held.slugs.push(renamed);
    soak.slugs.push(renamed);
  }

  async function remove(held: Held): Promise<void> {
    const change = begin(held.slugs, null, Date.now());
    const answer = await call("DELETE", `/links/${held.id}`);
    if (!isConfirmed("delete", answer, answer.isRepeated ? [204, 404] : [204], held.id)) return;
    change.confirm(Date.now());
    links.delete(held.id);
    freed.push(...held.slugs);
  }

  async function toggleTag(held: Held): Promise<void> {
    const tag = pick(tags);
    if (tag === undefined) return;
    const path = `/links/${held.id}/tags`;
    const isOn = held.tags.has(tag);
    const answer = isOn
      ? await call("DELETE", `${path}/${tag}`)
      : await call("POST", path, { tag_ids: [tag] });
    const fine = isOn ? (answer.isRepeated ? [204, 404] : [204]) : [200];
    if (!isConfirmed(isOn ? "detach" : "attach", answer, fine, held.id)) return;
    if (isOn) held.tags.delete(tag);
    else held.tags.add(tag);
  }

  // biome-ignore lint/suspicious/noExplicitAny: a link as the interface has it
  function compare(link: any, where: string): void {
    const held = links.get(link.id);
    if (held === undefined) {
      if (!doubtful.has(link.id) && !doubtful.has(link.title))
        soak.wrong(`${where}: ${link.id} (${link.title}) is there, and was not made or is deleted`);
      return;
    }
    const found = [
      link.slug,
      link.destination_url,
      link.title,
      link.tags.map((tag: { id: string }) => tag.id).sort(),
    ];
    const wanted = [held.slug, held.destination, held.title, [...held.tags].sort()];
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      soak.wrong(`${where}: ${link.id} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  }

  async function list(): Promise<void> {
    const page = 1 + Math.floor(Math.random() * 5);
    const answer = await call("GET", `/links?per_page=50&page=${page}&sort=-updated_at`);
    if (answer.status === 503) return soak.count("lists answered 503");
    if (answer.status !== 200) return soak.wrong(`list: ${answer.status} ${answer.body}`);
    for (const link of JSON.parse(answer.body).links) compare(link, "list");
  }

  async function turn(): Promise<void> {
    const draw = Math.random();
    const ids = [...links.keys()];
    // The first links are hot: they change most and are not deleted.
    const held = links.get((chance(0.2) ? ids[0] : pick(ids)) ?? "");
    if (held === undefined || draw < 0.25) return create();
    if (draw < 0.5) return update(held);
    if (draw < 0.58) return rename(held);
    if (draw < 0.73) return held.id === ids[0] ? update(held) : remove(held);
    if (draw < 0.9) return toggleTag(held);
    return list();
  }

  for (let tag = 0; tag < TAGS; tag++) {
    const answer = await call("POST", "/tags", { name: `Tag ${tag}` });
    if (answer.status !== 201) throw new Error(`tag: ${answer.status} ${answer.body}`);
    tags.push(JSON.parse(answer.body).tag.id);
  }

  return {
    run: () => again(soak, PAUSE_MS, turn),
    async check() {
      const seen = new Set<string>();
      for (let page = 1, last = 1; page <= last; page++) {
        const answer = await call("GET", `/links?status=all&sort=created_at&per_page=100&page=${page}`);
        if (answer.status !== 200) throw new Error(`list: ${answer.status} ${answer.body}`);
        const body = JSON.parse(answer.body);
        last = body.meta.last_page;
        for (const link of body.links) {
          seen.add(link.id);
          compare(link, "at the end");
        }
      }
      for (const id of links.keys()) if (!seen.has(id)) soak.wrong(`at the end: ${id} is lost`);
      soak.count("links compared", seen.size);
    },
  };
}
