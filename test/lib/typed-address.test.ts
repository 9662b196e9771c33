import fc from "fast-check";
import { expect, it } from "vitest";
import { RESERVED_SLUGS, SLUG_PATTERN } from "../../src/lib/slug-text";
import { cleanAddress } from "../../src/lib/typed-address";
import goodSlugs from "../corpora/slugs-good.json";

const QUERY = "?z=1";
const unchanged = (path: string) => ({ path, query: QUERY });

it("a slug, and the preview of one, are never changed", () => {
  const slugs = [...goodSlugs.cases.map(({ value }) => value), ...RESERVED_SLUGS];
  const path = fc.oneof(fc.constantFrom(...slugs), fc.stringMatching(SLUG_PATTERN));
  fc.assert(
    fc.property(path, fc.constantFrom("", "+"), (slug, preview) => {
      expect(cleanAddress(`/${slug}${preview}`, QUERY)).toEqual(unchanged(`/${slug}${preview}`));
    }),
  );
});

it("cleaning is done once: what was cleaned stays as it is", () => {
  const part = fc.constantFrom("a", "+", "/", ".", "(", "%2E", "%20", "%C2%AD", "%2B", "%2573", "&b=c", "é");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const { path } = cleanAddress(`/${parts.join("")}`, "");
      // A slug opens, anything else is 404.
      if (SLUG_PATTERN.test(path.slice(1))) expect(cleanAddress(path, QUERY)).toEqual(unchanged(path));
    }),
  );
});
