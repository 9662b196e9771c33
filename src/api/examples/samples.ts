import { renderCurl } from "./curl";
import { EXAMPLES } from "./examples";
import { renderJavaScript } from "./javascript";
import { renderPython } from "./python";

/** Source in Markdown, as a block of its own. */
export const codeBlock = (language: string, source: string): string => `\`\`\`${language}\n${source}\n\`\`\``;

/** As HTML, which Markdown may hold, so that one language is open and two can be opened. */
const details = (title: string, block: string, attribute = ""): string =>
  `<details${attribute}><summary>${title}</summary>\n\n${block}\n\n</details>`;

/** The examples of an operation for its entry in the document: `description` for people, `x-codeSamples` for tools. */
export function samplesOf(operationId: string) {
  const example = EXAMPLES[operationId];
  if (example === undefined) return {};
  const curl = renderCurl(example);
  const javaScript = renderJavaScript(example);
  const python = renderPython(example);
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
