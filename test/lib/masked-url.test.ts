import { expect, it } from "vitest";
import { maskedUrl } from "../../src/lib/masked-url";

it.each([
  ["https://hooks.example", "hooks.example"],
  ["http://localhost:3000/hook", "localhost:3000/hook"],
  ["https://hooks.example/v1/sales-orders-2", "hooks.example/v1/sales-orders-2"],
  [
    "https://hooks.slack.com/services/T024BE7LD/B024BE7LD/9f8Ae1qX7TzPq0",
    "hooks.slack.com/services/…LD/…LD/…Pq0",
  ],
  ["https://hook.eu1.make.com/abcdefghijklmnopqrstuvwxyz", "hook.eu1.make.com/…xyz"],
  ["https://hooks.example/in?key=abc", "hooks.example/in?…bc"],
  ["https://hooks.example/in/?key=abcdefghijkl#part", "hooks.example/in/?…jkl"],
  ["https://hooks.example/12345678", "hooks.example/…78"],
  ["https://hooks.example/letmeinwithoutdigits", "hooks.example/…its"],
  ["https://hooks.example/qWhXzTbR", "hooks.example/…bR"],
])("%s is shown without what may be a secret", (url, shown) => {
  expect(maskedUrl(url)).toBe(shown);
});
