/** A value that is known only when the example runs: an id that a step keeps, or a text that no other run has. */
export type Value = "link" | "tag" | "unique";

/** `{link}`, `{tag}` and `{unique}` in the texts of a request stand for these values. */
export interface ExampleRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, string | readonly string[]>>;
}

/** A request that is sent first, for an id in its answer. */
export interface Step extends ExampleRequest {
  keep: "link" | "tag";
  /** Which id: the first of a list, the one of a list with this name, or that of what was created. */
  from: "first" | "created" | { name: string };
}

/** One operation as a program calls it. Each renderer makes source of it that runs as it stands. */
export interface Example {
  steps?: readonly Step[];
  call: ExampleRequest;
  /** The file that gets the answer. Without it the answer is shown. */
  saveAs?: string;
}

/** Writes a text in a language: `plain` escapes what stands as it is, `value` writes the variable of a value. */
export const fill = (text: string, plain: (part: string) => string, value: (name: Value) => string): string =>
  text
    .split(/\{(link|tag|unique)\}/)
    .map((part, index) => (index % 2 === 0 ? plain(part) : value(part as Value)))
    .join("");

export const usesUnique = (example: Example): boolean => JSON.stringify(example).includes("{unique}");

/** Writes a string of a language: a text that is nothing but a value as its variable, one with values as a `template`. */
export const stringWriter =
  (variables: Readonly<Record<Value, string>>, template: (text: string) => string) =>
  (text: string): string => {
    const value = /^\{(link|tag|unique)\}$/.exec(text)?.[1] as Value | undefined;
    if (value !== undefined) return variables[value];
    return /\{(?:link|tag|unique)\}/.test(text) ? template(text) : JSON.stringify(text);
  };

/** A string, or a list of strings, as it is written in JavaScript and Python. */
export const literal = (value: string | readonly string[], string: (text: string) => string): string =>
  typeof value === "string" ? string(value) : `[${value.map(string).join(", ")}]`;

const MAX_INLINE_CHARACTERS = 60;

/** Parts in brackets: on one line if they are short, else one a line, `step` deeper than the line they begin on. */
export function bracketed(
  open: string,
  close: string,
  parts: readonly string[],
  indent: string,
  step: string,
): string {
  const inline = parts.join(", ");
  if (inline.length <= MAX_INLINE_CHARACTERS && !inline.includes("\n")) return open + inline + close;
  const lines = parts.map((part) => `${indent}${step}${part},\n`).join("");
  return `${open.trimEnd()}\n${lines}${indent}${close.trimStart()}`;
}
