import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasLongPartHeader, hasMoreFields } from "../../../src/console/shell/form-fields";

const bytes = (text: string) => new TextEncoder().encode(text);
const part = (boundary: string) => `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n`;

describe("the number of fields", () => {
  it("is counted by the form's own boundary, despite dashes and line breaks in a file", () => {
    const file = "\n--\n--bb\n---b\n-\n--B\n";
    const body = bytes(`${part("bbb")}${file}${part("bbb")}--bbb--`);
    expect(hasMoreFields(body, { type: "multipart", boundary: "bbb" }, 2)).toBe(false);
  });

  it("is never lower than the platform's count", async () => {
    const boundary = "b";
    const chunksOf = fc.constantFrom(...["--b", "--b--", "\r\n", "\n", "\r", " ", "x", part("b")]);
    await fc.assert(
      fc.asyncProperty(fc.array(chunksOf, { maxLength: 12 }), async (list) => {
        const body = bytes(list.join(""));
        const headers = { "Content-Type": `multipart/form-data; boundary="${boundary}"` };
        const form = await new Response(body, { headers }).formData().catch(() => undefined);
        const found = form === undefined ? 0 : [...form].length;
        if (found > 0) expect(hasMoreFields(body, { type: "multipart", boundary }, found - 1)).toBe(true);
      }),
    );
  });
});

describe("the header lines of a part", () => {
  const partOf = (lines: string, text = "1") => `--b\r\n${lines}\r\n\r\n${text}\r\n`;
  const disposition = 'Content-Disposition: form-data; name="a"';

  it.each([
    ["short ones", `${part("b").repeat(3)}--b--`, false],
    ["short ones before a long text", `${partOf(disposition, "\r\n--c".repeat(10_000))}--b--`, false],
    ["short ones with bare line feeds", `--b\n${disposition}\n\n${"1".repeat(5_000)}\n--b--`, false],
    ["one long line", `${partOf(`${disposition}${"; x=y".repeat(1_000)}`)}--b--`, true],
    ["many lines", `${partOf(`${"x: y\r\n".repeat(1_000)}${disposition}`)}--b--`, true],
    ["one long line of a later part", `${part("b")}${partOf("x".repeat(5_000))}--b--`, true],
    ["lines without an end", `${part("b")}--b\r\n${"x".repeat(5_000)}`, true],
    ["one long line after an empty part", `${partOf(disposition, "")}--b\r\n${"x".repeat(5_000)}`, true],
    ["short ones of two long texts", `${partOf(disposition, "1".repeat(5_000)).repeat(2)}--b--`, false],
    ["nothing", "", false],
  ])("%s", (_, body, isLong) => {
    expect(hasLongPartHeader(bytes(body), "b")).toBe(isLong);
  });

  const ofBytes = (count: number) => `--b\r\n${"x".repeat(count - 6)}\r\n\r\n${"1".repeat(5_000)}\r\n`;

  it.each([
    ["of the first part", `${ofBytes(4_096)}--b--`, `${ofBytes(4_097)}--b--`],
    ["of a later part", `${part("b")}${ofBytes(4_096)}--b--`, `${part("b")}${ofBytes(4_097)}--b--`],
    ["without an end", `--b${"x".repeat(4_096)}`, `--b${"x".repeat(4_097)}`],
  ])("%s have at most 4,096 bytes", (_, longest, tooLong) => {
    expect(hasLongPartHeader(bytes(longest), "b")).toBe(false);
    expect(hasLongPartHeader(bytes(tooLong), "b")).toBe(true);
  });
});
