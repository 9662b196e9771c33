import { CST, Lexer } from "yaml";

/** The parser recurses, and some versions of Node abort the process where its stack ends. */
const MAX_FLOW_DEPTH = 50;
/** A block in a block stands further right, so its column bounds its depth. */
const MAX_BLOCK_COLUMN = 250;
/** The lexer itself recurses over indicators, tags and anchors on a line. */
const INDICATOR_RUN = /(?<!\S)(?:[-?:!&]\S*[ \t]+){50}/;

const OPENS: ReadonlySet<string | null> = new Set(["flow-map-start", "flow-seq-start"]);
const CLOSES: ReadonlySet<string | null> = new Set(["flow-map-end", "flow-seq-end"]);
const BLOCK_INDICATORS: ReadonlySet<string | null> = new Set([
  "seq-item-ind",
  "explicit-key-ind",
  "map-value-ind",
]);

/** True for YAML that is nested far deeper than any file of links. */
export function isNestedTooDeeply(text: string): boolean {
  if (INDICATOR_RUN.test(text)) return true;
  let depth = 0;
  let column = 0;
  let isScalarText = false;
  for (const lexeme of new Lexer().lex(text)) {
    const type: string | null = isScalarText ? "text" : CST.tokenType(lexeme);
    isScalarText = type === "scalar";
    if (OPENS.has(type)) depth++;
    else if (CLOSES.has(type)) depth--;
    else if (type === "flow-error-end" || type === "doc-mode") depth = 0;
    if (depth > MAX_FLOW_DEPTH) return true;
    if (depth === 0 && column > MAX_BLOCK_COLUMN && BLOCK_INDICATORS.has(type)) return true;
    if (type !== "scalar" && type !== "flow-error-end" && type !== "doc-mode") {
      const lineStart = lexeme.lastIndexOf("\n") + 1;
      column = lineStart > 0 ? lexeme.length - lineStart : column + lexeme.length;
    }
  }
  return false;
}
