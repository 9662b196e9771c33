import { expect, it } from "vitest";
import PAGE_TEXTS from "../../../src/http/site/page-texts.json";
import {
  endedPage,
  notOpenYetPage,
  type PageLanguage,
  unknownLinkPage,
} from "../../../src/http/site/visitor-pages";
import {
  MAX_DEFAULT_SENTENCE_BYTES,
  MAX_FRAME_BYTES,
} from "../../../src/resources/branding/branding-service";

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** As much as a workspace can show beside sentences and the button. */
const BRAND = {
  name: "&".repeat(100),
  colour: "#0f766e",
  logo: { id: "01JZ8Q4V6T3K9M2N5P7R8S0W1X" },
  button: { label: "", url: "" },
};

it.each(Object.keys(PAGE_TEXTS) as PageLanguage[])(
  "the pages in %s have at most the bytes that are left for them beside what a workspace says",
  (language) => {
    const texts = { ended: { [language]: "" }, unknown: { [language]: "" } };
    const { earlyText, endedText, unknownText } = PAGE_TEXTS[language];
    const frames = [
      endedPage(language, { ...BRAND, texts }, null),
      unknownLinkPage(language, { ...BRAND, texts }),
      notOpenYetPage(language, BRAND).replace(earlyText, ""),
    ];
    expect(Math.max(...frames.map(bytesOf))).toBeLessThanOrEqual(MAX_FRAME_BYTES);
    const sentences = [earlyText, endedText, unknownText].map(bytesOf);
    expect(Math.max(...sentences)).toBeLessThanOrEqual(MAX_DEFAULT_SENTENCE_BYTES);
  },
);
