/** Bytes as lower-case hexadecimal. */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** SHA-256 of bytes, or of a text as UTF-8, as lower-case hexadecimal. */
export async function sha256Hex(input: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
