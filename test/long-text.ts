import { chai } from "vitest";

// A failure on a long text, such as a page, shows the place that differs instead of the whole text.

const LONG_CHARACTERS = 500;
const AROUND = 150;

/** The text at a place, with what is before and after it. */
function excerpt(text: string, from: number, length: number): string {
  const [start, end] = [Math.max(0, from - AROUND), from + length + AROUND];
  return `${start === 0 ? "" : "…"}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** The place that begins like what is missing, or the beginning of the text. */
function nearest(text: string, missing: string): string {
  let length = missing.length;
  while (length > 0 && !text.includes(missing.slice(0, length))) length--;
  return excerpt(text, text.indexOf(missing.slice(0, length)), length);
}

/** What is wrong with a long text; undefined if nothing is. */
function problemOf(text: string, wanted: string | RegExp, isNegated: boolean): string | undefined {
  const found = typeof wanted === "string" ? wanted : text.match(wanted)?.[0];
  const place = found === undefined ? -1 : text.indexOf(found);
  if (place === -1) return isNegated ? undefined : `is not in the text: ${nearest(text, String(wanted))}`;
  return isNegated ? `is in the text: ${excerpt(text, place, found?.length ?? 0)}` : undefined;
}

/** Marks what is overwritten, since a worker loads this file again for each file of tests. */
const OVERWRITTEN = Symbol.for("waymark long text");

chai.use(({ Assertion, AssertionError }, { flag, overwriteMethod }) => {
  if (Reflect.has(Assertion.prototype, OVERWRITTEN)) return;
  Reflect.set(Assertion.prototype, OVERWRITTEN, true);
  for (const name of ["toContain", "toMatch"])
    overwriteMethod(Assertion.prototype, name, (original: (wanted: unknown) => unknown) => {
      return function check(this: object, wanted: unknown): unknown {
        const text: unknown = flag(this, "object");
        const isLong = typeof text === "string" && text.length > LONG_CHARACTERS;
        if (!isLong || !(typeof wanted === "string" || wanted instanceof RegExp))
          return original.call(this, wanted);
        const problem = problemOf(text, wanted, flag(this, "negate") === true);
        const message: unknown = flag(this, "message");
        const about = message === undefined ? "" : `${message}: `;
        const whole = `${about}${wanted} ${problem}`;
        // Not the frames of this file.
        if (problem !== undefined) throw new AssertionError(whole, undefined, flag(this, "ssfi") ?? check);
        return undefined;
      };
    });
});
