/** The first address in texts that an app shares: phones put it into any of them, with words around it. */
export function addressIn(...texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const found = /https?:\/\/\S+/i.exec(text ?? "")?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
