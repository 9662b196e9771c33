import examples from "./examples.json";

// The examples can run in any order and as often as one likes: each creates what it deletes, and needs only the workspace
// `demo`.

/** Texts may have `{link}` and `{tag}`, the ids that earlier requests found, and `{unique}`. */
export interface Call {
  /** GET without it. */
  method?: "POST" | "PATCH" | "DELETE";
  path: string;
  /** A list has ids. */
  body?: Readonly<Record<string, string | readonly string[]>>;
  hasIdempotencyKey?: boolean;
}

/** A request that finds or creates what the last one needs. */
export interface Preparation extends Call {
  finds: "link" | "tag";
  /** Which one of the list; without it the first. */
  named?: string;
}

export interface Example extends Call {
  first?: readonly Preparation[];
  /** The name of the file that the response is saved as. It is printed without it. */
  file?: string;
}

/** The example of each operation, by its operationId. */
export const EXAMPLES = examples as Readonly<Record<string, Example>>;
