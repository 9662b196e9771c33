import { listApiKeys } from "../../access/keys";
import { listMembers } from "../../access/members";
import { actorOf } from "../../access/sessions";
import type { PageContext } from "../shell/page-request";
import type { Options } from "../shell/post-form";

/** The people, API keys and commands that change and create what a workspace has. */
export async function readActors({ var: { ctx, isEditor } }: PageContext): Promise<Options> {
  const [members, keys] = await Promise.all([listMembers(ctx), isEditor ? listApiKeys(ctx) : []]);
  return [
    ...members.map(({ email }) => [actorOf(email), email] as const),
    ...keys.map(({ id, name, last4 }) => [`key:${id}`, `API key “${name}” (…${last4})`] as const),
    ["operator", "The operator"],
  ];
}

/** Adds the chosen option if it is not among them. */
export const withChosen = (options: Options, chosen: string | undefined, label: string): Options =>
  chosen === undefined || options.some(([value]) => value === chosen)
    ? options
    : [[chosen, label], ...options];
