import { releaseDomain } from "../../../resources/domains/release";
import { typedHost } from "../../../resources/domains/schema";
import {
  addDomain,
  checkDomain,
  type Domain,
  listDomains,
  removeDomain,
  setPrimaryDomain,
} from "../../../resources/domains/service";
import { toPlainText } from "../plain";
import { type Commands, command, NO_OPTIONS, workspaceCommand } from "./command";

type State = Pick<Domain, "host" | "state" | "is_primary">;
type Shown = State & Partial<Pick<Domain, "proof" | "failing_since">>;

const stateOf = ({ host, state, is_primary }: State): State => ({ host, state, is_primary });

/** With the proof that a pending host lacks, and since when an active one has not led here. */
const withLack = ({ proof, failing_since, ...domain }: Domain): Shown => ({
  ...stateOf(domain),
  ...(proof !== null && { proof }),
  ...(failing_since !== null && { failing_since }),
});

function missingIn({ state, proof, failing_since: since }: Shown): string {
  if (proof) return `the DNS record ${proof.name} ${proof.type} ${proof.value}`;
  if (state === "verified") return "a route to this service: npm run deploy";
  return since ? `an answer, since ${since}` : "nothing";
}

const toText = (result: { domain?: Shown; domains?: Shown[] }): string => {
  const inWords = (domain: Shown) => ({ ...stateOf(domain), missing: missingIn(domain) });
  const { domain, domains = [] } = result;
  return toPlainText(domain === undefined ? { domains: domains.map(inWords) } : { domain: inWords(domain) });
};

export const domainCommands: Commands = {
  "domain add": workspaceCommand(
    "adds a host for the short links of a workspace, without proof",
    typedHost,
    async (ctx, { host }) => ({ domain: stateOf(await addDomain(ctx, host, true)) }),
  ),
  "domain list": {
    ...workspaceCommand(
      "lists the domains of a workspace, and what is missing of each",
      NO_OPTIONS,
      async (ctx) => ({ domains: (await listDomains(ctx)).map(withLack) }),
    ),
    toText,
  },
  "domain check": {
    ...workspaceCommand(
      "looks for the proof of a host, and whether it leads here",
      typedHost,
      async (ctx, { host }) => ({ domain: withLack(await checkDomain(ctx, host)) }),
    ),
    toText,
  },
  "domain primary": workspaceCommand(
    "makes new links on a host; the service's short host takes that back",
    typedHost,
    async (ctx, { host }) => ({ domain: stateOf(await setPrimaryDomain(ctx, host)) }),
  ),
  "domain remove": workspaceCommand(
    "closes a host that is not in use; the workspace may add it again",
    typedHost,
    async (ctx, { host }) => ({ domain: stateOf(await removeDomain(ctx, host)) }),
  ),
  "domain release": command(
    "gives a removed host free for any workspace, with all its addresses",
    typedHost,
    async (ctx, { host }) => ({ domain: await releaseDomain(ctx, host) }),
  ),
};
