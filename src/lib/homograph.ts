const BASE = 36;
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
const MAX_DELTA = 0x7fffffff;

const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE_SCRIPT = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const LETTERS = /[^\P{L}\p{Lm}]/gu;

// Letters that look Latin: confusables of Unicode UTS #39 and the additions of browsers. Lower case, except Cherokee, which
// IDNA maps to capitals.
const LOOKALIKES: ReadonlySet<string> = new Set([
  ..."агекопрсухъыьюѕіјѡѵүһҽӏӕԁԍԗԛԝ", // Cyrillic
  ..."αγηικνορτυωϳ", // Greek
  ..."ագզէլհյոռսցւքօ", // Armenian
  ..."ᎠᎡᎢᎤᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏮᏳᏴ", // Cherokee
]);

function adaptBias(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > 455; bias += BASE) rest = Math.floor(rest / 35);
  return bias + Math.floor((36 * rest) / (rest + 38));
}

/** Decodes a punycode label without `xn--` (RFC 3492). Undefined if invalid. */
export function decodePunycode(encoded: string): string | undefined {
  const hyphen = encoded.lastIndexOf("-");
  const output = Array.from(encoded.slice(0, Math.max(hyphen, 0)), (character) => character.charCodeAt(0));
  let position = hyphen > 0 ? hyphen + 1 : 0;
  let codePoint = 128;
  let index = 0;
  let bias = 72;
  while (position < encoded.length) {
    const start = index;
    let weight = 1;
    for (let step = BASE; ; step += BASE) {
      const digit = position < encoded.length ? DIGITS.indexOf(encoded.charAt(position)) : -1;
      position += 1;
      index += digit * weight;
      if (digit < 0 || index > MAX_DELTA) return undefined;
      const threshold = Math.min(Math.max(step - bias, 1), 26);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adaptBias(index - start, length, start === 0);
    codePoint += Math.floor(index / length);
    index %= length;
    if (codePoint > 0x10ffff) return undefined;
    output.splice(index, 0, codePoint);
    index += 1;
  }
  return String.fromCodePoint(...output);
}

/** The labels of an ASCII host in Unicode. Undefined if an `xn--` label is not canonical. */
export function readableLabels(host: string): string[] | undefined {
  const labels: string[] = [];
  for (const label of host.split(".")) {
    const readable = label.startsWith("xn--") ? decodePunycode(label.slice(4)) : label;
    if (readable === undefined) return undefined;
    labels.push(readable);
  }
  const readableHost = labels.join(".");
  if (readableHost === host) return labels;
  try {
    return new URL(`https://${readableHost}/`).hostname === host ? labels : undefined;
  } catch {
    return undefined;
  }
}

/** True if a label imitates Latin letters with those of another script. */
export function isHomograph(labels: readonly string[]): boolean {
  const isLatinTopLevel = /^[a-z]+$/.test(labels.at(-1) ?? "");
  return labels.some((label) => {
    if (!LOOKALIKE_SCRIPT.test(label)) return false;
    if (LATIN.test(label)) return true;
    const letters = label.normalize("NFD").match(LETTERS) ?? [];
    return isLatinTopLevel && letters.every((letter) => LOOKALIKES.has(letter));
  });
}
