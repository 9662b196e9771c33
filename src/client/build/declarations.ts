import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
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

/** Writes the types of `index.ts`, with the file names that Node's resolution wants. */
export async function writeDeclarations(): Promise<void> {
  const program = ts.createProgram([`${PACKAGE}index.ts`], optionsOf());
  assertNoErrors(program);
  const written = new Map<string, string>();
  program.emit(undefined, (_, text, __, ___, sources) => {
    const path = relative(PACKAGE, sources?.[0]?.fileName ?? "");
    // Bundled modules of src/lib appear in no public type.
    if (!path.startsWith("..")) written.set(path.replace(/\.ts$/, ".d.ts"), text);
  });
  for (const [path, text] of written) {
    await mkdir(dirname(DIST + path), { recursive: true });
    await writeFile(DIST + path, text.replaceAll(RELATIVE_IMPORT, "$1$2.js"));
  }
  await mkdir(`${DIST}generated`, { recursive: true });
  await copyFile(`${GENERATED}api.d.ts`, `${DIST}generated/api.d.ts`);
}
