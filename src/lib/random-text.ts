/**
 * `length` characters of an alphabet of at most 256, each equally likely. `random` returns that many cryptographically
 * random bytes.
 */
export function randomText(alphabet: string, length: number, random: (bytes: number) => Uint8Array): string {
  // Bytes past the largest multiple of the alphabet's length would favour its first characters.
  const limit = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < limit) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
