import { expect, it } from "vitest";
import { app } from "../../src/app";
import { RESERVED_SLUGS, SLUG_PATTERN } from "../../src/lib/slug-text";

/** Their routes have a second segment, so the first alone is a slug. */
const SLUGS_TOO = ["reports"];
/** Reserved by the interface, for paths that Cloudflare serves or that may be used later. */
const WITHOUT_ROUTE = ["assets", "cdn-cgi"];

it("reserves as slugs exactly the first segments of the Worker's own routes that could be slugs", () => {
  const segments = app.routes.map(({ path }) => path.split("/")[1] ?? "");
  const shadowing = segments.filter((segment) => SLUG_PATTERN.test(segment) && !SLUGS_TOO.includes(segment));
  expect([...new Set([...shadowing, ...WITHOUT_ROUTE])].sort()).toEqual([...RESERVED_SLUGS].sort());
});
