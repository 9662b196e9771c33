/** A host as the service writes it: in lower-case ASCII, without a trailing dot. Undefined for another text. */
export function toHost(text: string): string | undefined {
  if (/[\s/?#@:%\\]/.test(text)) return undefined;
  try {
    return new URL(`https://${text}/`).hostname.replace(/\.$/, "");
  } catch {
    return undefined;
  }
}
