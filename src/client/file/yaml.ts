import {
  CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from "yaml";
import type { Problem } from "../exit";
import { refusalOf } from "./link-file";

/** An alias repeats its list wherever it stands. */
const MAX_LIST_ITEMS = 1_000;

/** The parser recurses, and Node may abort the process where its stack ends. */
const MAX_FLOW_DEPTH = 50;
/** A block in a block stands further right. Indicators, tags and anchors can also nest on one line. */
const DEEP_BLOCK = /^ {250}|(?<!\S)(?:[-?:!&]\S*[ \t]+){50}/m;

/** Keys stay as they are written, such as 404 and 1e3. */
const OPTIONS = { prettyErrors: false, uniqueKeys: false, stringKeys: true, logLevel: "error" } as const;

const OWN_MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: "The file must hold one YAML document.",
  NON_STRING_KEY: "A key must be a plain text.",
};

/** YAML 1.1 reads an unquoted timestamp as a date, in UTC if it has no zone. So its text counts, as in YAML 1.2. */
function plainValue({ value, source }: Scalar): unknown {
  const plain = value instanceof Date ? source : value;
  return typeof plain === "string" ? plain.trim() || null : plain;
}

/** The pairs by key. Reports keys that are given twice. */
function indexKeys({ items }: YAMLMap, lineOf: (node: unknown) => number, report: Report) {
  const pairs = new Map<string, Pair>();
  for (const pair of items) {
    const name = String(isScalar(pair.key) ? pair.key.value : pair.key);
    const first = pairs.get(name);
    if (first === undefined) pairs.set(name, pair);
    else report(lineOf(pair.key), `${JSON.stringify(name)} is already given in line ${lineOf(first.key)}.`);
  }
  return pairs;
}

type Path = readonly PropertyKey[];
type Report = (line: number, message: string) => void;

/** The plain values of a document: texts are trimmed, and an empty one is null, as the service reads them. */
function read(document: Document, lines: LineCounter) {
  const problems: Problem[] = [];
  const report: Report = (line, message) => problems.push({ line, message });
  const lineOf = (node: unknown): number =>
    isNode(node) && node.range != null ? lines.linePos(node.range[0]).line : 1;
  const indices = new Map<YAMLMap, ReadonlyMap<string, Pair>>();
  const anchors = new Set<string>();
  visit(document, {
    Alias(_, alias) {
      if (anchors.has(alias.source)) return undefined;
      report(lineOf(alias), `There is no anchor &${alias.source} before this alias.`);
      return visit.REMOVE;
    },
    Value(position, value) {
      if (value.anchor !== undefined) anchors.add(value.anchor);
      if (isMap(value)) indices.set(value, indexKeys(value, lineOf, report));
      if (isScalar(value) && position !== "key") value.value = plainValue(value);
      if (!isSeq(value) || value.items.length <= MAX_LIST_ITEMS) return undefined;
      report(lineOf(value), `A list must not have more than ${MAX_LIST_ITEMS} items.`);
      value.items = [];
      return visit.SKIP;
    },
  });
  /** A value of the document, and the line of its name, or of an item of a list. Undefined if there is no such value. */
  const find = (path: Path): { node: unknown; line: number } | undefined => {
    let node: unknown = document.contents;
    let line = 1;
    for (const step of path) {
      const parent = isAlias(node) ? node.resolve(document) : node;
      const pair = isMap(parent) ? indices.get(parent)?.get(String(step)) : undefined;
      if (pair === undefined && !isSeq(parent)) return undefined;
      node = isSeq(parent) ? parent.items[Number(step)] : pair?.value;
      line = lineOf(pair?.key ?? node);
    }
    return { node: isAlias(node) ? node.resolve(document) : node, line };
  };
  const writtenAt = (path: Path): string | undefined => {
    const node = find(path)?.node;
    return isScalar(node) ? node.source : undefined;
  };
  // Values of aliases are shared, so any number of them takes no memory.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  return { value, problems, lineOf: (path: Path) => find(path)?.line, writtenAt };
}

/** True for YAML that is nested far deeper than any file of links. */
function isNestedTooDeeply(text: string): boolean {
  if (DEEP_BLOCK.test(text)) return true;
  let depth = 0;
  let previous = "";
  for (const token of new Lexer().lex(text)) {
    // The token after this mark is the text of a scalar.
    const isText = previous === CST.SCALAR;
    if (!isText && (token === "[" || token === "{")) depth++;
    if (!isText && (token === "]" || token === "}")) depth = Math.max(0, depth - 1);
    if (depth > MAX_FLOW_DEPTH) return true;
    previous = token;
  }
  return false;
}

/** Reads the text of a file. Throws for faults of the syntax alone, because the structure is then unknown. */
export function readYaml(path: string, text: string) {
  if (isNestedTooDeeply(text)) {
    throw refusalOf(path, [{ line: 1, message: "The file is nested too deeply." }]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { ...OPTIONS, lineCounter: lines });
  const faults = [...document.errors, ...document.warnings].map(({ code, pos, message }) => ({
    line: Math.max(1, lines.linePos(pos[0]).line),
    message: OWN_MESSAGES[code] ?? message,
  }));
  if (faults.length > 0) throw refusalOf(path, faults);
  return read(document, lines);
}
