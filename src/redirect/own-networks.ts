import { isInNetworks } from "../http/networks";
import { newTrace } from "../http/request-log";
import { settingsKey } from "../lib/slug-text";
import { findEntry, type SlugRequest } from "./find-entry";

/** Whether a visitor is in the workspace's own network. If its settings cannot be read, the visit counts. */
export async function isOwnVisit(asked: Omit<SlugRequest, "trace">, workspace: number): Promise<boolean> {
  const trace = newTrace(crypto.randomUUID());
  const found = await findEntry({ ...asked, trace }, settingsKey("workspace", workspace), Date.now()).catch(
    () => undefined,
  );
  return isInNetworks(asked.request.headers.get("cf-connecting-ip"), found?.entry?.networks ?? []);
}
