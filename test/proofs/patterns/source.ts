import { join, relative, sep } from "node:path";
import { type Node, SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

export interface Found {
  /** Relative to the project. */
  file: string;
  text: string;
}

const MAKES: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.NewExpression, SyntaxKind.CallExpression]);

/** The regular expressions of the source, and the places that build one from a string. */
export function patternsOf(root: string): { literals: Found[]; constructed: Found[] } {
  const literals = new Map<string, Found>();
  const constructed = new Map<string, Found>();
  const api = new API({ cwd: root });
  try {
    for (const config of ["tsconfig.json", "src/cli/tsconfig.json"]) {
      const path = join(root, config);
      const project = api
        .updateSnapshot({ openProject: path })
        .getProjects()
        .find(({ configFileName }) => configFileName === path);
      if (project === undefined) throw new Error(`${path} is no project.`);
      for (const name of project.rootFiles) {
        const source = project.program.getSourceFile(name);
        if (source === undefined) throw new Error(`${name} cannot be read.`);
        const file = relative(root, name).replaceAll(sep, "/");
        const readsAllPages = (node: Node): void => {
          const text = source.text.slice(node.pos, node.end).trim();
          const found = { file, text };
          if (node.kind === SyntaxKind.RegularExpressionLiteral) literals.set(`${file} ${text}`, found);
          if (MAKES.has(node.kind) && /^(?:new\s+)?RegExp\b/.test(text))
            constructed.set(`${file} ${text}`, found);
          node.forEachChild(readsAllPages);
        };
        readsAllPages(source);
      }
    }
  } finally {
    api.close();
  }
  return { literals: [...literals.values()], constructed: [...constructed.values()] };
}

/** A literal, unchanged from the source. */
export function toRegExp(literal: string): RegExp {
  const end = literal.lastIndexOf("/");
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}
