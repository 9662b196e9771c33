import { expect, it } from "vitest";
import { toPlainText } from "../../src/cli/plain";

it("a list of words is printed without numbers", () => {
  const restore = { workspaces: ["demo", "acme"], made_at: "2026-11-22T09:30:00.000Z", pushed_to_kv: 3 };
  expect(toPlainText({ restore })).toBe(
    "workspaces    demo, acme\nmade at       2026-11-22T09:30:00.000Z\npushed to kv  3\n",
  );
  expect(toPlainText({ restore: { workspaces: [] } })).toBe("workspaces  -\n");
});
