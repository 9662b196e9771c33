import type { Env } from "../context";
import { createLiteralDatabase } from "../db/send";
import { addressOf, mayLookUp } from "../http/rate-limits";
import { perBinding, RecentMap } from "../lib/recent-map";
import { settingsKey } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import { withTimeout } from "../lib/with-timeout";
import { unavailable } from "./answer";
import { findEntry, type SlugRequest } from "./find-entry";
import { answerUnknown } from "./handle";
import { selectWorkspaceRow } from "./slugs/statements/targets";

const MAX_KNOWN_WORKSPACES = 1_000;
const D1_TIMEOUT_MS = 5_000;

/** The row ids of workspaces by their public ids, which never change. */
const knownWorkspaces = perBinding((_: Env["KV"]) => new RecentMap<number>(MAX_KNOWN_WORKSPACES));

async function findRowId({ request, env, trace }: SlugRequest, publicId: string) {
  const known = knownWorkspaces(env.KV);
  const remembered = known.get(publicId);
  if (remembered !== undefined) return remembered;
  if (!mayLookUp(env, addressOf(request))) return undefined;
  const reading = createLiteralDatabase(env.DB, trace.d1).read(selectWorkspaceRow(publicId));
  const [[row] = []] = await withTimeout(reading, D1_TIMEOUT_MS);
  if (row !== undefined) known.set(publicId, row.id);
  return row?.id;
}

async function findLogo(asked: SlugRequest, publicId: string): Promise<string | undefined> {
  const rowId = publicId === "" ? undefined : await findRowId(asked, publicId);
  if (rowId === undefined) return undefined;
  const found = await findEntry(asked, settingsKey("workspace", rowId), Date.now());
  return found.entry?.brand?.logo?.image;
}

const toBytes = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** The logo of pages for visitors, by the public id of its workspace. It is an image alone, whatever is in it. */
export async function answerLogo(asked: SlugRequest, id: string): Promise<Response> {
  const logo = await findLogo(asked, storedId(id)).catch((error) => unavailable(asked.request, error));
  if (logo instanceof Response) return logo;
  if (logo === undefined) return answerUnknown(asked);
  const isSvg = logo.startsWith("<");
  return new Response(isSvg ? logo : toBytes(logo), {
    headers: {
      "Content-Type": isSvg ? "image/svg+xml" : "image/png",
      "Cache-Control": "public, max-age=300",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
