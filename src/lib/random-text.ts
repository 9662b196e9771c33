/** `length` uniformly random characters of an alphabet of at most 256. `random` returns cryptographically random bytes. */
export function randomText(alphabet: string, length: number, random: (bytes: number) => Uint8Array): string {
  // Bytes above the largest multiple of the alphabet's length would make its first characters more likely.
  const limit = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < limit) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
