import { slugFromName } from "./slug-text";

const MAX_CHARACTERS = 40;

/** Letters of Cyrillic, as passports write them, and of Greek. */
const LETTERS = new Map(
  (
    "а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya " +
    "і:i ї:yi є:ye ґ:g ў:u ђ:dj ј:j љ:lj њ:nj ћ:c џ:dz ѓ:gj ќ:kj ѕ:dz " +
    "α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o"
  )
    .split(" ")
    .map((pair): [string, string] => [pair.charAt(0), pair.slice(2)]),
);

/** The slug that the application proposes for a title, cut between words; "" if no character remains. */
export function slugFromTitle(title: string): string {
  const latin = title
    .normalize("NFC")
    .toLowerCase()
    .replace(/ο[υύ]/gu, "ou")
    .replace(
      /[\p{Script=Cyrillic}\p{Script=Greek}]/gu,
      (letter) => LETTERS.get(letter) ?? LETTERS.get(letter.normalize("NFD").charAt(0)) ?? letter,
    );
  const whole = slugFromName(latin, MAX_CHARACTERS + 1);
  if (whole.length <= MAX_CHARACTERS) return whole;
  const end = whole.lastIndexOf("-");
  return whole.slice(0, end > 0 ? end : MAX_CHARACTERS);
}
