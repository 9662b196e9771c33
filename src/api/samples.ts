import sources from "./examples.json";

// The examples can run in any order and as often as one likes: each creates what it deletes, and needs only the workspace
// `demo`. `API` and `KEY` are in the environment.

const inJavaScript = (requests: string): string => `const { API, KEY } = process.env;
const headers = { Authorization: \`Bearer \${KEY}\` };

${requests}
console.log(response.status, await response.text());`;

const inPython = (requests: string): string => `${requests.includes("json.") ? "import json\n" : ""}import os
${requests.includes("uuid.") ? "import uuid\n" : ""}from urllib.error import HTTPError
from urllib.request import Request, urlopen

API = os.environ["API"]
headers = {"Authorization": "Bearer " + os.environ["KEY"]}

${requests}
try:
    response = urlopen(request)
except HTTPError as refusal:
    response = refusal
print(response.status, response.read().decode())`;

const LANGUAGES = [
  { label: "curl", lang: "Shell", complete: (requests: string) => requests },
  { label: "JavaScript", lang: "JavaScript", complete: inJavaScript },
  { label: "Python", lang: "Python", complete: inPython },
] as const;

type Example = Readonly<Record<(typeof LANGUAGES)[number]["label"], readonly string[]>>;

/** The lines of an operation's requests in each language, by its operationId. Those with imports of their own are complete. */
const EXAMPLES: Readonly<Record<string, Example>> = sources;

/**
 * The examples of an operation for its entry in the document. They are not in its description: generators print that into
 * comments, which an example may end.
 */
export function samplesOf(operationId: string) {
  const example = EXAMPLES[operationId];
  if (example === undefined) return {};
  return {
    "x-codeSamples": LANGUAGES.map(({ lang, label, complete }) => {
      const requests = example[label].join("\n");
      return { lang, label, source: requests.startsWith("import ") ? requests : complete(requests) };
    }),
  };
}
