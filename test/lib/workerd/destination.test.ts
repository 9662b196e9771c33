import { expect, it } from "vitest";
import { destinationProblem } from "../../../src/lib/destination";

// Node's parser refuses these hosts. That of workerd, which serves visitors, accepts them, so our own rule has to refuse them.
it.each(["xn--.com", "a.xn--"])("the host %s is refused although it can be parsed", (host) => {
  expect(new URL(`https://${host}/`).hostname).toBe(host);
  expect(destinationProblem(`https://${host}/`)?.reason).toBe("host_shape");
});
