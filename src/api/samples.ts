import sources from "./examples.json";

// The examples can run in any order and as often as one likes: each creates what it deletes, and needs only the workspace
// `demo`. `API` and `KEY` are in the environment.

const LANGUAGES = [
  { label: "curl", lang: "Shell", block: "sh" },
  { label: "JavaScript", lang: "JavaScript", block: "js" },
  { label: "Python", lang: "Python", block: "py" },
] as const;

type Example = Readonly<Record<(typeof LANGUAGES)[number]["label"], readonly string[]>>;

/** The lines of an operation's example in each language, by its operationId. */
const EXAMPLES: Readonly<Record<string, Example>> = sources;

/** Source in Markdown, as a block of its own. */
export const codeBlock = (language: string, source: string): string => `\`\`\`${language}\n${source}\n\`\`\``;

/** As HTML, which Markdown may hold, so that one language is open and two can be opened. */
const details = (title: string, block: string, isOpen: boolean): string =>
  `<details${isOpen ? " open" : ""}><summary>${title}</summary>\n\n${block}\n\n</details>`;

/** The examples of an operation for its entry in the document: `description` for people, `x-codeSamples` for tools. */
export function samplesOf(operationId: string) {
  const example = EXAMPLES[operationId];
  if (example === undefined) return {};
  const samples = LANGUAGES.map((language) => ({ ...language, source: example[language.label].join("\n") }));
  return {
    description: samples
      .map(({ label, block, source }) => details(label, codeBlock(block, source), label === "curl"))
      .join("\n\n"),
    "x-codeSamples": samples.map(({ lang, label, source }) => ({ lang, label, source })),
  };
}
