import { CST, Lexer } from "yaml";

/** The parser recurses, and Node may abort the process where its stack ends. */
const MAX_FLOW_DEPTH = 50;
/** A block in a block stands further right. Indicators, tags and anchors can also nest on one line. */
const DEEP_BLOCK = /^ {250}|(?<!\S)(?:[-?:!&]\S*[ \t]+){50}/m;

/** True for YAML that is nested far deeper than any file of links. */
export function isNestedTooDeeply(text: string): boolean {
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
