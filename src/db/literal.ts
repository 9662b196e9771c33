import type { Value } from "./bound-list";

/** A statement as text. What runs behind a redirect has no others, since drizzle and the schema would be compiled there. */
export class Literal<T = unknown> {
  declare readonly rows: T;
  constructor(
    readonly sql: string,
    readonly params: readonly unknown[],
    readonly mapRows: (rows: unknown[]) => unknown[] = (rows) => rows,
  ) {}
}

/** Its values are `?1`, `?2` and so on in the text. */
export const literal = <Row>(text: string, ...values: readonly Value[]) => new Literal<Row[]>(text, values);
