import { expect, it } from "vitest";
import { destinationProblem } from "../../../src/lib/destination";

// Parsers of URLs differ here, and visitors are served by the one of workerd.
it.each(["xn--.com", "a.xn--"])("the host %s cannot be parsed", (host) => {
  expect(destinationProblem(`https://${host}/`)?.reason).toBe("unparseable");
});
