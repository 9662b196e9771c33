import { type Read, refused } from "./csv";

const AS_UTF_8 = "Save it as “CSV UTF-8”, and choose it again.";

const beginsWith = (bytes: Uint8Array, ...first: number[]): boolean =>
  first.every((byte, index) => bytes[index] === byte);

const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, "\n");

/** No text file has these. */
const CONTROL = /[\ufffe\uffff]|[^\P{Cc}\t\n\r]/u;

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of a file in UTF-16, which has a mark or begins with a Latin letter; undefined for another file. */
function textOfUtf16(bytes: Uint8Array): string | undefined {
  const isBig = beginsWith(bytes, 0xfe, 0xff) || bytes[0] === 0;
  const isLittle = beginsWith(bytes, 0xff, 0xfe) || bytes[1] === 0;
  const text = isBig === isLittle ? undefined : decoded(bytes, isBig ? "utf-16be" : "utf-16le");
  return text === undefined || CONTROL.test(text) ? undefined : text;
}

/** What Windows-1252 has from byte 128 to 159, and from there on the same as Latin 1. Decoders differ in the former. */
const WESTERN = `€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ${Array.from({ length: 96 }, (_, index) => String.fromCharCode(160 + index)).join("")}`;
/** The same of Windows-1250. */
const CENTRAL =
  "€\x81‚\x83„…†‡\x88‰Š‹ŚŤŽŹ\x90‘’“”•–—\x98™š›śťžź\xa0ˇ˘Ł¤Ą¦§¨©Ş«¬\xad®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙";

/** The text of bytes in Windows-1252, of which `toBytes` makes the same bytes. Those that it does not have are control characters. */
export const toWestern = (bytes: Uint8Array): string =>
  (decoded(bytes, "windows-1252") ?? "").replace(
    /[\x80-\x9f]/g,
    (sign) => WESTERN[sign.charCodeAt(0) - 128] ?? sign,
  );

export const toBytes = (western: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(western, (sign) => (sign < "\x80" ? sign.charCodeAt(0) : 128 + WESTERN.indexOf(sign)));

/** The letters that all Latin code pages of Windows have in the same place, and signs. */
const COMMON = /^[\t\n\r -~ÄÖÜäöüßÉé€‚„…‘’“”–—\xa0§«»°]*$/;
/** In the code pages of DOS and Mac, such a letter is a sign, which does not stand within a word. */
const WITHIN_WORD = /[A-Za-z][äöüßé]{1,2}[A-Za-z]/;

/** The text of a file that can be nothing but Windows-1252, or that reads the same in what else it can be. */
function textOfWindows(bytes: Uint8Array): string | undefined {
  const text = toWestern(bytes);
  return COMMON.test(text) && WITHIN_WORD.test(text) ? text : undefined;
}

export const ENCODINGS = ["UTF-8", "UTF-16", "Windows-1252", "Windows-1250"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * Decodes a file in UTF-8, or where it is certain in UTF-16 or Windows-1252, with line ends as \n. Otherwise returns a message about
 * the likely format.
 */
export function textOf(bytes: Uint8Array): Read<string, { encoding: Encoding }> {
  if (beginsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    return refused(`The file is a spreadsheet or an archive, not a CSV file. ${AS_UTF_8}`);
  }
  // Text in UTF-16 has a zero byte beside every Latin letter.
  const isWide = beginsWith(bytes, 0xff, 0xfe) || beginsWith(bytes, 0xfe, 0xff) || bytes.includes(0);
  const encodings: [Encoding, () => string | undefined][] = isWide
    ? [["UTF-16", () => textOfUtf16(bytes)]]
    : [
        ["UTF-8", () => decoded(bytes, "utf-8")],
        ["Windows-1252", () => textOfWindows(bytes)],
      ];
  for (const [encoding, read] of encodings) {
    const text = read();
    if (text !== undefined) return { ok: true, value: withLineFeeds(text), encoding };
  }
  return refused(`The file is not in UTF-8${isWide ? " but, it seems, in UTF-16" : ""}. ${AS_UTF_8}`);
}

/** The code pages of Windows that a person is asked about, by the part of Europe that has them. */
export const CODE_PAGES = { "Windows-1252": "Western European", "Windows-1250": "Central European" } as const;
type CodePage = keyof typeof CODE_PAGES;

/** A letter beyond English within a word. */
const ODD_LETTER = /[A-Za-z](?=\p{L})[^A-Za-z]|(?=\p{L})[^A-Za-z][A-Za-z]/u;
const LOOKED_BYTES = 1_000_000;

/** Whether a file is in UTF-8, but for some bytes. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, LOOKED_BYTES));
  let more = 0;
  for (const [sign] of text.matchAll(/[\xa0-\ufffd]/g)) more += sign === "\ufffd" ? -1 : 1;
  return more > 0;
}

/** What a file that `textOf` refuses may be: its text in each code page in which it has letters and no control characters. */
export function unclearTexts(bytes: Uint8Array): readonly (readonly [page: CodePage, text: string])[] {
  if (textOf(bytes).ok || isDamagedUtf8(bytes)) return [];
  const western = toWestern(bytes);
  const central = new Map(Array.from(WESTERN, (sign, index) => [sign, CENTRAL[index] ?? sign]));
  const texts = [
    ["Windows-1252", western],
    ["Windows-1250", western.replace(/[\x80-\uffff]/g, (sign) => central.get(sign) ?? sign)],
  ] as const;
  return texts
    .filter(([, text]) => !CONTROL.test(text) && ODD_LETTER.test(text))
    .map(([page, text]) => [page, withLineFeeds(text)]);
}

const MAX_CELLS = 3;
const MAX_BESIDE = 30;
const ENDS_CELL = /[\n,;\t"]/;

/** The first cells, or parts of long ones, in which two readings of a text differ, as each has them; else the first with other letters. */
export function cellsThatDiffer(one: string, other: string): readonly (readonly [string, string])[] {
  const found = new Map<string, string>();
  for (const { index } of one.matchAll(/[^\t\n -~]/g)) {
    if (found.size === MAX_CELLS) break;
    if (one !== other && one[index] === other[index]) continue;
    const from =
      index -
      (one
        .slice(Math.max(0, index - MAX_BESIDE), index)
        .split(ENDS_CELL)
        .at(-1)?.length ?? 0);
    const to = index + (one.slice(index, index + MAX_BESIDE).split(ENDS_CELL)[0]?.length ?? 0);
    found.set(one.slice(from, to).trim(), other.slice(from, to).trim());
  }
  return [...found];
}
