import { mkdir, readFile, writeFile } from "node:fs/promises";
import { posix, relative, sep } from "node:path";
import ts from "typescript";
import { DIST, GENERATED, PACKAGE } from "./paths";

const RELATIVE_IMPORT = /(\bfrom\s+"|\bimport\(")(\.{1,2}\/[^"]+)(?=")/g;

function optionsOf(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${PACKAGE}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, PACKAGE);
  return { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true };
}

function assertNoErrors(program: ts.Program): void {
  const found = ts.getPreEmitDiagnostics(program);
  if (found.length === 0) return;
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => PACKAGE, getNewLine: () => "\n" };
  throw new Error(ts.formatDiagnostics(found, host));
}

/** The emitted declarations by their path in the package, without extension. */
function emit(program: ts.Program): Map<string, string> {
  const texts = new Map<string, string>();
  program.emit(undefined, (_, text, __, ___, sources) => {
    texts.set(
      relative(PACKAGE, sources?.[0]?.fileName ?? "")
        .replaceAll(sep, "/")
        .replace(/\.ts$/, ""),
      text,
    );
  });
  return texts;
}

/** Writes the types of `index.ts` and the types they use. Adds the extensions that Node's resolution needs. */
export async function writeDeclarations(): Promise<void> {
  const program = ts.createProgram([`${PACKAGE}index.ts`], optionsOf());
  assertNoErrors(program);
  const texts = emit(program).set("generated/api", await readFile(`${GENERATED}api.d.ts`, "utf8"));
  const wanted = new Set(["index"]);
  // Iterating over a set includes members added during the iteration.
  for (const path of wanted) {
    const text = texts.get(path);
    if (text === undefined) throw new Error(`A public type is in ${path}, which is not in the package.`);
    for (const [, , target = ""] of text.matchAll(RELATIVE_IMPORT))
      wanted.add(posix.join(posix.dirname(path), target));
    await mkdir(DIST + posix.dirname(path), { recursive: true });
    await writeFile(`${DIST}${path}.d.ts`, text.replaceAll(RELATIVE_IMPORT, "$1$2.js"));
  }
}
