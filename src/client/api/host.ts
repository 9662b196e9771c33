export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** A host as the service writes it: in lower-case ASCII, without a trailing dot. Undefined for another text. */
export const toHost = (text: string): string | undefined =>
  /[\s/?#@:%\\]/.test(text) ? undefined : parseUrl(`https://${text}/`)?.hostname.replace(/\.$/, "");
