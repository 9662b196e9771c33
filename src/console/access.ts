import type { Config } from "../context";

/** The e-mail address that a token of Cloudflare Access stands for; undefined where it does not hold. */
export async function emailOfAccess(
  _token: string | undefined,
  _access: NonNullable<Config["access"]>,
  _now: number,
): Promise<string | undefined> {
  return undefined;
}
