import punycode from "punycode/punycode.js";
import shortenerHosts from "./shortener-hosts.json";

export const INTERNAL_SUFFIXES: readonly string[] =
  "arpa corp home internal intranet lan local localdomain localhost onion private".split(" ");

export const ADDRESS_IN_NAME_DOMAINS: readonly string[] =
  "nip.io sslip.io xip.io localtest.me lvh.me vcap.me lacolhost.com traefik.me".split(" ");

/** Exceptions below a shortener's domain. They only open maps. */
export const NOT_SHORTENER_HOSTS: ReadonlySet<string> = new Set(["maps.app.goo.gl"]);

/** Public shorteners. Chained links hide the final destination, so they are refused with all subdomains. */
export const SHORTENER_HOSTS: ReadonlySet<string> = new Set(shortenerHosts);

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

/** The labels of an ASCII host in Unicode. Undefined if an `xn--` label is not canonical. */
export function readableLabels(host: string): string[] | undefined {
  try {
    const labels = host
      .split(".")
      .map((label) => (label.startsWith("xn--") ? punycode.decode(label.slice(4)) : label));
    return new URL(`https://${labels.join(".")}/`).hostname === host ? labels : undefined;
  } catch {
    return undefined;
  }
}

export function isHomograph(labels: readonly string[]): boolean {
  const isLatinTopLevel = /^[a-z]+$/.test(labels.at(-1) ?? "");
  return labels.some((label) => {
    if (!LOOKALIKE_SCRIPT.test(label)) return false;
    if (LATIN.test(label)) return true;
    const letters = label.normalize("NFD").match(LETTERS) ?? [];
    return isLatinTopLevel && letters.every((letter) => LOOKALIKES.has(letter));
  });
}
