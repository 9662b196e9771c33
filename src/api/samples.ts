import sources from "./examples.json";

// The examples can run in any order and as often as one likes: each creates what it deletes, and needs only the workspace
// `demo`. `API` and `KEY` are in the environment.

const LANGUAGES = [
  { label: "curl", lang: "Shell" },
  { label: "JavaScript", lang: "JavaScript" },
  { label: "Python", lang: "Python" },
] as const;

type Example = Readonly<Record<(typeof LANGUAGES)[number]["label"], readonly string[]>>;

/** The lines of an operation's example in each language, by its operationId. */
const EXAMPLES: Readonly<Record<string, Example>> = sources;

/**
 * The examples of an operation for its entry in the document. They are not in its description: generators print that into
 * comments, which an example may end.
 */
export function samplesOf(operationId: string) {
  const example = EXAMPLES[operationId];
  if (example === undefined) return {};
  return {
    "x-codeSamples": LANGUAGES.map(({ lang, label }) => ({ lang, label, source: example[label].join("\n") })),
  };
}
