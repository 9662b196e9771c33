import { describe, expect, it } from "vitest";
import { isObject, parseJson, parseJsonObject } from "../../src/lib/json";

describe("JSON", () => {
  it.each([
    ['{"a":1}', { a: 1 }, true],
    ["[1]", [1], false],
    ["null", null, false],
    ['"text"', "text", false],
    ["{", undefined, false],
    ["", undefined, false],
  ])("%s", (text, value, isAnObject) => {
    expect(parseJson(text)).toEqual(value);
    expect(isObject(value)).toBe(isAnObject);
    expect(parseJsonObject(text)).toEqual(isAnObject ? value : undefined);
  });
});
