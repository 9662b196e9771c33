import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The tree of labels in `tldts-icann`. Its functions answer for one host, so the list is read from its data. */
interface Tree {
  rulesRoot: number;
  exceptionsRoot: number;
  /** 1 for a suffix. */
  nodeFlags: Uint8Array;
  /** The first edge of each node; the last one ends where those of the next node begin. */
  edgeStart: Uint16Array;
  edgeChild: Uint16Array;
  edgeLength: Uint8Array;
  /** The labels of all edges, one after the other. */
  labelText: string;
}

/** ICANN's public suffixes of two labels or more, a line each, as `PublicSuffixes` has them. */
export function publicSuffixesFile(): string {
  const tree: Tree = require("tldts-icann/dist/cjs/src/data/trie.js");
  const { nodeFlags, edgeStart, edgeChild, edgeLength, labelText } = tree;
  const ends: number[] = [];
  for (const length of edgeLength) ends.push((ends.at(-1) ?? 0) + length);
  const below = (node: number, parent: string): string[] => {
    const names: string[] = [];
    for (let edge = edgeStart[node] ?? 0; edge < (edgeStart[node + 1] ?? 0); edge++) {
      const label = labelText.slice(ends[edge - 1] ?? 0, ends[edge]);
      const name = parent === "" ? label : `${label}.${parent}`;
      const child = edgeChild[edge] ?? 0;
      if (nodeFlags[child] === 1 && parent !== "") names.push(name);
      names.push(...below(child, name));
    }
    return names;
  };
  const exceptions = below(tree.exceptionsRoot, "").map((name) => `!${name}`);
  // Hosts of URLs are in ASCII, and so is each suffix once more.
  return [...below(tree.rulesRoot, ""), ...exceptions].filter((line) => /^[!-~]+$/.test(line)).join("\n");
}
