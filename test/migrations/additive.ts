/** A text, or a comment. */
const OPAQUE = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** Why the release before could not work on the schema that this statement makes. `created` are tables of the same migration. */
function findReason(statement: string, created: Set<string>): string | undefined {
  const [, table] = /^create table ([^\s(]+) ?\(/i.exec(statement) ?? [];
  if (table !== undefined) {
    created.add(table);
    return undefined;
  }
  const [, unique, indexed] = /^create (unique )?index [^\s(]+ on ([^\s(]+) ?\(/i.exec(statement) ?? [];
  if (indexed !== undefined) {
    const mayFail = unique !== undefined && !created.has(indexed);
    return mayFail ? "rows that exist, or that the release before writes, may not be unique" : undefined;
  }
  const [, column] = /^alter table [^\s(]+ add (.+)$/i.exec(statement) ?? [];
  if (column === undefined) return "a migration only adds tables, columns and indexes";
  const mustBeWritten = / not null\b/i.test(column) && !/ default (?!null\b)/i.test(column);
  return mustBeWritten ? "the release before does not write this column, so it needs a default" : undefined;
}

/** The statements of a migration that are not additive, with the reason. */
export function findBreaking(text: string): string[] {
  const created = new Set<string>();
  return text
    .replaceAll(OPAQUE, (part) => (part.startsWith("'") ? "''" : " "))
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .flatMap((statement) => {
      const reason = statement === "" ? undefined : findReason(statement, created);
      return reason === undefined ? [] : [`"${statement.slice(0, 80)}": ${reason}.`];
    });
}
