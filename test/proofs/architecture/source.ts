import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export interface Import {
  file: string;
  /** A file of src without its extension, or a package. */
  target: string;
  /** The imported names. `*` is every value of the file, by a namespace or at run time. */
  names: readonly string[];
}

const SOURCE = fileURLToPath(new URL("../../../src/", import.meta.url));
const TESTS = fileURLToPath(new URL("../../", import.meta.url));
/** What is installed and built in the package of the client or for the tools of a test. */
const FOREIGN = /(?:^|\/)node_modules\/|^client\/(?:dist|generated)\//;
const EXTENSION = /(?:\.d)?\.tsx?$/;
const IMPORT = /^(?:(?:import|export)\b([^"';=]*?)\bfrom|import)\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;
const EXPORT = /^export (?:async )?(function\*?|const|let|class|interface|type|enum) (\w+)/gm;

interface SourceFile {
  /** Its path below src, without its extension. */
  file: string;
  text: string;
}

/** A path below src, with slashes on Windows too. */
const pathInSource = (path: string): string =>
  relative(SOURCE, path).replaceAll(sep, "/").replace(EXTENSION, "");

function readFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => EXTENSION.test(name) && !FOREIGN.test(name.replaceAll(sep, "/")))
    .map((name) => join(folder, name))
    .map((path) => ({ file: pathInSource(path), text: readFileSync(path, "utf8") }));
}

function resolve(file: string, specifier: string, files: ReadonlySet<string>): string {
  if (!specifier.startsWith(".")) return specifier;
  const path = pathInSource(join(SOURCE, dirname(file), specifier));
  return files.has(path) ? path : `${path}/index`;
}

const isType = (kind: string): boolean => kind === "interface" || kind === "type";

function namesOf(clause: string | undefined, text: string): string[] {
  if (clause === undefined) return ["*"];
  const [, namespace] = /\* as (\w+)/.exec(clause) ?? [];
  if (namespace !== undefined) {
    const members = text.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, "g"));
    return ["*", ...Array.from(members, ([, name = ""]) => name)];
  }
  const [, inBraces = ""] = /\{([^}]*)\}/.exec(clause) ?? [];
  return inBraces.split(",").map((part) => part.trim().replace(/^type\s+|\s+as\s.*$/g, ""));
}

function importsOf(read: readonly SourceFile[]): Import[] {
  const files = new Set(read.map(({ file }) => file));
  return read.flatMap(({ file, text }) =>
    Array.from(text.matchAll(IMPORT), ([, clause, from, atRunTime]) => ({
      file,
      target: resolve(file, from ?? atRunTime ?? "", files),
      names: namesOf(clause, text),
    })),
  );
}

/** All imports of src, including type imports and dynamic imports. */
export const readImports = (): Import[] => importsOf(readFiles(SOURCE));

/** The exports of src that no other file of src and no test imports. */
export function findUnusedExports(): string[] {
  const source = readFiles(SOURCE);
  const used = new Set(
    importsOf([...source, ...readFiles(TESTS)]).flatMap(({ target, names }) =>
      names.map((name) => `${target} exports ${name}`),
    ),
  );
  return source.flatMap(({ file, text }) =>
    Array.from(text.matchAll(EXPORT), ([, kind = "", name]) => ({ kind, line: `${file} exports ${name}` }))
      .filter(({ kind, line }) => !used.has(line) && (isType(kind) || !used.has(`${file} exports *`)))
      .map(({ line }) => line),
  );
}

const DECLARATION = /\b(?:function\*?|const|let|class|interface|type|enum) (\w+)/g;
/** A column of a table in `db/schema`. */
const COLUMN = /^ {4}(\w+): \w+\(/gm;

/** The names of files, declarations and columns of src, as `where: name`. */
export const findNames = (): { where: string; name: string }[] =>
  readFiles(SOURCE).flatMap(({ file, text }) => {
    const columns = file.startsWith("db/schema/") ? text.matchAll(COLUMN) : [];
    const names = [...text.matchAll(DECLARATION), ...columns].map(([, name = ""]) => name);
    return [...file.split("/"), ...names].map((name) => ({ where: file, name }));
  });

/** A call of `fetch` that is no method of an object, or `fetch` as a value. */
const FETCH = /(?<![.\w/`] ?)\bfetch(?=\(|[,;)]|$)/gm;

/** The files of the Worker that name the global `fetch`. */
export const findFetches = (): string[] =>
  readFiles(SOURCE)
    .filter(({ file }) => !/^(?:client|cli)\//.test(file))
    .filter(({ text }) => text.search(FETCH) !== -1)
    .map(({ file }) => file);

/** A function or a constant of zod, such as `z.object(` and `z.NEVER`. */
const ZOD = /\bz\.([A-Z]{2,}\b|[a-z]\w*(?=(?:\.\w+)?\())/g;

/** What the files of the Worker use of zod, as `where: name`. */
export const findUsesOfZod = (): { where: string; name: string }[] =>
  readFiles(SOURCE)
    .filter(({ file }) => !/^(?:client|cli)\//.test(file))
    .flatMap(({ file, text }) => Array.from(text.matchAll(ZOD), ([, name = ""]) => ({ where: file, name })));

/** A call of `replace` whose replacement is a variable, or a text with one. */
const REPLACEMENT =
  /\.replace(?:All)?\(\s*(?:\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\/[a-z]*|"(?:\\.|[^"\\])*"|`[^`]*`|[\w.]+)\s*,\s*([a-z]\w*(?! =>)\b|`[^`]*\$\{[a-z][^`]*`)/g;

/** The replacements of src that are variables or have one in them, as `where: name`. */
export const findReplacements = (): { where: string; name: string }[] =>
  readFiles(SOURCE).flatMap(({ file, text }) =>
    Array.from(text.matchAll(REPLACEMENT), ([, name = ""]) => ({ where: file, name })),
  );

/** A statement that writes and returns rows, so that it may be sent as a read. */
const WRITING_READ =
  /\borm\.(?:all|get)(?:<[^(]*>)?\(\s*sql`\s*(?:insert|update|delete|replace)\b|\breturning\b(?=[^`\n]*`)/g;

/** The files of src with statements that write and return rows. */
export const findWritingReads = (): string[] =>
  readFiles(SOURCE).flatMap(({ file, text }) => Array.from(text.matchAll(WRITING_READ), () => file));

/** What a declaration calls that writes to D1. */
const WRITES =
  /\b(?:write|writeGuarded|writeOnce|writeWithinLimit|writeDomain|commitLinks|commitAssets|writeTags|storeFile)\(|= ctx\.backgroundDb\b/;
const TOP_LEVEL = /^(?=(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type) \w)/m;

/** The functions that other files call and that write to D1, by themselves or by others of their file, as `file:name`. */
export const findWritingFunctions = (): string[] =>
  readFiles(SOURCE)
    .filter(({ file }) => /^(?:access|analytics|http|operations|redirect|resources)\//.test(file))
    .flatMap(({ file, text }) => {
      const declared = text.split(TOP_LEVEL).flatMap((part) => {
        const [, isExported, name = ""] =
          /^(export )?(?:async )?(?:function\*?|const|let|class) (\w+)/.exec(part) ?? [];
        return name === ""
          ? []
          : [{ name, isExported: isExported !== undefined, body: part.replaceAll(/\/\*\*.*?\*\//gs, "") }];
      });
      const writing = new Set(declared.filter(({ body }) => WRITES.test(body)).map(({ name }) => name));
      for (let size = -1; size !== writing.size; ) {
        size = writing.size;
        for (const { name, body } of declared) {
          const calls = [...writing].some(
            (other) => other !== name && new RegExp(`\\b${other}\\(`).test(body),
          );
          if (calls) writing.add(name);
        }
      }
      return declared.flatMap(({ name, isExported }) =>
        isExported && writing.has(name) ? [`${file}:${name}`] : [],
      );
    });
