import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type Scalar,
  visit,
} from "yaml";
import type { Problem } from "./link-file";
import { isNestedTooDeeply } from "./nesting";

/** Each alias is read where it stands, so a small file could otherwise expand without limit. */
const MAX_VALUES = 1_000_000;
const MAX_PROBLEMS = 1_000;

/** A node after its aliases, or null for a missing value. */
type Value = Node | null;

export interface Entry {
  key: string;
  line: number;
  value: Value;
  /** The line of the value, or of its key where it has none. */
  valueLine: number;
}

/** A YAML text with line numbers. Problems are gathered in it. */
export interface YamlSource {
  root: Value;
  problems: readonly Problem[];
  report(line: number, message: string): void;
  /** The entries of a mapping; undefined for another value. */
  entries(value: Value): Entry[] | undefined;
  /** The items of a list; undefined for another value. */
  items(value: Value): { value: Value; line: number }[] | undefined;
  /** The plain value of a scalar; undefined for a mapping or list. A missing value is null, a timestamp its text. */
  scalar(value: Value): unknown;
}

/** Ends the reading of a file. */
class TooMuch extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** An anchor may be defined again. An alias means the last definition before it. */
function resolveAliases(document: Document): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

/** The text of a key as it is written, so that 404 and 1e3 stay as they are. */
function keyText(node: Value): string | undefined {
  if (!isScalar(node)) return undefined;
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

/** YAML 1.1 reads an unquoted timestamp as a date, in UTC if it has no zone. So its text counts, as in YAML 1.2. */
const scalarValue = ({ value, source }: Scalar): unknown => (value instanceof Date ? source : value);

/** Parses YAML 1.2. Returns the faults of its syntax if there are any. */
function parseYaml(text: string, lines: LineCounter) {
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const problems: Problem[] = [];
  if (!Array.isArray(documents)) return { problems, document: undefined };
  const [document, second] = documents;
  for (const { pos, message } of documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])) {
    problems.push({ line: Math.max(1, lines.linePos(pos[0]).line), message: firstLine(message) });
  }
  if (second !== undefined) {
    const line = lines.linePos(second.range[0]).line;
    problems.push({ line, message: "The file must hold one YAML document." });
  }
  return { problems, document };
}

/** Reads YAML with `read`. Faults of the syntax are reported alone, because the structure is then unknown. */
export function readYaml<T>(
  text: string,
  read: (source: YamlSource) => T,
): { problems: readonly Problem[]; value?: T } {
  if (isNestedTooDeeply(text)) {
    return { problems: [{ line: 1, message: "The file is nested too deeply." }] };
  }
  const lines = new LineCounter();
  const { problems, document } = parseYaml(text, lines);
  if (problems.length > 0) return { problems };
  const source = sourceOf(document, lines);
  const byLine = () => source.problems.toSorted((one, other) => one.line - other.line);
  try {
    const value = read(source);
    return { problems: byLine(), value };
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return { problems: [...byLine(), { line: error.line, message: error.message }] };
  }
}

function sourceOf(document: Document | undefined, lines: LineCounter): YamlSource {
  const targets = document === undefined ? new Map<Alias, Node>() : resolveAliases(document);
  const problems: Problem[] = [];
  let values = 0;
  const spend = (count: number, line: number) => {
    values += count;
    if (values > MAX_VALUES)
      throw new TooMuch(line, "The file expands to too many values. Use fewer aliases.");
  };
  const resolve = (node: unknown): Value => {
    const target = isAlias(node) ? targets.get(node) : node;
    return isNode(target) ? target : null;
  };
  const lineOf = (node: unknown, fallback: number): number =>
    isNode(node) && node.range != null ? lines.linePos(node.range[0]).line : fallback;
  const report = (line: number, message: string) => {
    if (problems.length === MAX_PROBLEMS)
      throw new TooMuch(line, "There are more problems, which are not shown.");
    problems.push({ line, message });
  };
  return {
    root: resolve(document?.contents),
    problems,
    report,
    entries(value) {
      if (!isMap(value)) return undefined;
      const own = lineOf(value, 1);
      spend(value.items.length, own);
      return value.items.flatMap((pair) => {
        const line = lineOf(pair.key, own);
        const key = keyText(resolve(pair.key));
        if (key === undefined) report(line, "A key must be a plain text.");
        return key === undefined
          ? []
          : [{ key, line, value: resolve(pair.value), valueLine: lineOf(pair.value, line) }];
      });
    },
    items(value) {
      if (!isSeq(value)) return undefined;
      const own = lineOf(value, 1);
      spend(value.items.length, own);
      return value.items.map((item) => ({ value: resolve(item), line: lineOf(item, own) }));
    },
    scalar: (value) => (value === null ? null : isScalar(value) ? scalarValue(value) : undefined),
  };
}
