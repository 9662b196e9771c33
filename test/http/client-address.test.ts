import { describe, expect, it } from "vitest";
import { countedAddress } from "../../src/http/client-address";

describe("the address that a rate limit counts", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    [" 192.0.2.1 ", "192.0.2.1"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:0:0:0:1", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["2001:db8::1", "2001:db8::/64"],
    ["::1", "::/64"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
    ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
    ["64:ff9b:1:2::192.0.2.1", "64:ff9b:1:2::/64"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:0201", "192.0.2.1"],
    ["fe80::1%eth0", "fe80::/64"],
  ])("of %s is %s", (text, counted) => {
    expect(countedAddress(text)).toBe(counted);
  });

  it.each([
    null,
    "",
    "unknown",
    "192.0.2",
    "192.0.2.256",
    "192.0.2.01",
    "192.0.2.1, 192.0.2.2",
    "192.0.2.1:80",
    "[::1]",
    "1::2::3",
    "1:2:3:4:5:6:7:8:9",
    "12345::",
    "::ffff:192.0.2.999",
    `::1${"0".repeat(200)}`,
  ])("is undefined for %j", (text) => {
    expect(countedAddress(text)).toBeUndefined();
  });
});
