/** A host as the service writes it: in lower-case ASCII, without a trailing dot. Undefined for another text. */
export function toHost(text: string): string | undefined {
  const url = `https://${text}/`;
  if (/[\s/?#@:%\\]/.test(text) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.$/, "");
}
