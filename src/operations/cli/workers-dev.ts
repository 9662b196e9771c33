import type { Cloudflare } from "./cloudflare";
import { findAccount, inApiWords } from "./domain-routes";

/** Cloudflare's code for an account that has no subdomain of workers.dev. */
const NO_SUBDOMAIN = 10007;

/** Returns the address of a Worker on workers.dev. Throws if the account has no subdomain there. */
export async function getWorkersDevAddress(
  api: Cloudflare,
  worker: string,
  known: string | undefined,
): Promise<string> {
  let account = known;
  try {
    account ??= await findAccount(api);
    const { subdomain } = (await api(`/accounts/${account}/workers/subdomain`)) as { subdomain: string };
    return `https://${worker}.${subdomain}.workers.dev`;
  } catch (error) {
    const reason =
      error instanceof Error && error.cause === NO_SUBDOMAIN
        ? `the account has no subdomain there. Choose one at https://dash.cloudflare.com/${account}/workers/onboarding, then deploy again`
        : inApiWords(error);
    throw new Error(`There is no address on workers.dev: ${reason}.`);
  }
}
