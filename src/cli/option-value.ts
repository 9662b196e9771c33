import { InvalidArgumentError } from "commander";

/** Refuses an option in place of a value: `--message --dry-run` is a mistake, and must not deploy. */
export function toValue(text: string): string {
  if (/^--|^-[a-z]$/i.test(text)) throw new InvalidArgumentError("A value is missing.");
  return text;
}
