import sources from "./examples.json";

// The examples can run in any order and as often as one likes: each creates what it deletes, and needs only the workspace
// `demo`. `API` and `KEY` are in the environment.

type Label = "curl" | "JavaScript" | "Python";

/** The lines of an operation's example in each language, by its operationId. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<Label, readonly string[]>>>> = sources;

/** Source in Markdown, as a block of its own. */
export const codeBlock = (language: string, source: string): string => `\`\`\`${language}\n${source}\n\`\`\``;

/** As HTML, which Markdown may hold, so that one language is open and two can be opened. */
const details = (title: string, block: string, attribute = ""): string =>
  `<details${attribute}><summary>${title}</summary>\n\n${block}\n\n</details>`;

/** The examples of an operation for its entry in the document: `description` for people, `x-codeSamples` for tools. */
export function samplesOf(operationId: string) {
  const example = EXAMPLES[operationId];
  if (example === undefined) return {};
  const curl = example.curl.join("\n");
  const javaScript = example.JavaScript.join("\n");
  const python = example.Python.join("\n");
  return {
    description: [
      details("curl", codeBlock("sh", curl), " open"),
      details("JavaScript", codeBlock("js", javaScript)),
      details("Python", codeBlock("py", python)),
    ].join("\n\n"),
    "x-codeSamples": [
      { lang: "Shell", label: "curl", source: curl },
      { lang: "JavaScript", label: "JavaScript", source: javaScript },
      { lang: "Python", label: "Python", source: python },
    ],
  };
}
