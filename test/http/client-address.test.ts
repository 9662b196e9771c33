import { describe, expect, it } from "vitest";
import { countedAddress } from "../../src/http/client-address";

describe("the address that a rate limit counts", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    [" 192.0.2.1 ", "192.0.2.1"],
    ["255.255.255.255", "255.255.255.255"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:0:0:0:1", "2001:db8:1:2::/64"],
    ["2001:db8::", "2001:db8:0:0::/64"],
    ["2001:db8:0:0:1::", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
    ["1::4:5:6:7:8", "1:0:0:4::/64"],
    ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
    ["64:ff9b:1:2::192.0.2.1", "64:ff9b:1:2::/64"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:0201", "192.0.2.1"],
    ["0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("of %s is %s", (text, counted) => {
    expect(countedAddress(text)).toBe(counted);
  });

  it.each([
    "",
    " ",
    "192.0.2",
    "192.0.2.256",
    "192.0.2.1.5",
    "192.0.2.01",
    "0x7f.0.0.1",
    "3221225985",
    "192.0.2.1%eth0",
    "192.0.2.1, 192.0.2.2",
    "192.0.2.1:80",
    "[::1]",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "12345::",
    "g::1",
    "::ffff:192.0.2.999",
    "::1]/[",
    "::%",
    `::1${"0".repeat(200)}`,
  ])("is undefined for %j", (text) => {
    expect(countedAddress(text)).toBeUndefined();
  });

  it("is undefined if the request has no address", () => {
    expect(countedAddress(null)).toBeUndefined();
    expect(countedAddress(undefined)).toBeUndefined();
  });
});
