import { type Call, EXAMPLES, type Example, type Preparation } from "./examples";

type NameByPlaceholder = Readonly<Record<string, string>>;

/** A text with what stands for the ids and the unique text in a language. */
const withNames = (text: string, write: (name: string) => string): string =>
  text.replace(/\{(link|tag|unique)\}/g, (_, name: string) => write(name));

const isUnique = (example: Example): boolean =>
  example.hasIdempotencyKey === true || JSON.stringify(example).includes("{unique}");

const SHELL: NameByPlaceholder = { link: "ID", tag: "TAG", unique: "UNIQUE" };

function toCurl(options: string, { method, path, body, hasIdempotencyKey }: Call, ...more: string[]): string {
  const verb = method === undefined || method === "POST" ? "" : ` -X ${method}`;
  const texts = JSON.stringify(body, (_, value) =>
    Array.isArray(value) ? value.map((id) => `{${id}}`) : value,
  );
  return [
    `curl ${options}${verb} "$API${withNames(path, (name) => `$${SHELL[name]}`)}" -H "Authorization: Bearer $KEY"`,
    ...(hasIdempotencyKey === true ? ['-H "Idempotency-Key: $UNIQUE"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${withNames(texts, (name) => `'"$${SHELL[name]}"'`)}'`]),
    ...more,
  ].join(" \\\n  ");
}

function findInShell({ finds, named, ...call }: Preparation): string {
  const [name, first] = named === undefined ? ["", " | head -n 1"] : [`,"name":"${named}"`, ""];
  return `${SHELL[finds]}=$(${toCurl("-sSf", call)} |
  grep -o '"id":"[^"]*"${name}'${first} | cut -d '"' -f 4)`;
}

const inShell = ({ first = [], file, ...last }: Example): string =>
  [
    ...(isUnique({ first, ...last }) ? ["UNIQUE=$(date +%s)-$$"] : []),
    ...first.map(findInShell),
    file === undefined ? toCurl("-sS -i", last) : toCurl("-sSf", last, `-o ${file} -w '%{http_code}\\n'`),
  ].join("\n");

const JAVASCRIPT: NameByPlaceholder = { link: "linkId", tag: "tagId", unique: "unique" };
const PYTHON: NameByPlaceholder = { link: "link_id", tag: "tag_id", unique: "unique" };

/** The fields of a body in a language, a line each. `quote` writes a text that has names. */
const linesOf = (
  body: Call["body"] = {},
  names: NameByPlaceholder,
  key: (name: string) => string,
  quote: (text: string) => string,
) =>
  Object.entries(body).map(([name, value]) => {
    if (typeof value !== "string") return `    ${key(name)}: [${value.map((id) => names[id]).join(", ")}],`;
    return `    ${key(name)}: ${value.includes("{") ? quote(value) : JSON.stringify(value)},`;
  });

const template = (text: string): string => `\`${withNames(text, (name) => `\${${JAVASCRIPT[name]}}`)}\``;

function toFetch({ method, path, body, hasIdempotencyKey }: Call): string {
  const url = template(`\${API}${path}`);
  const verb = method === undefined ? "" : `method: "${method}", `;
  if (body === undefined) return `await fetch(${url}, { ${verb}headers });`;
  const key = hasIdempotencyKey === true ? '"Idempotency-Key": unique, ' : "";
  return `await fetch(${url}, {
  method: "${method}",
  headers: { ...headers, ${key}"Content-Type": "application/json" },
  body: JSON.stringify({
${linesOf(body, JAVASCRIPT, (name) => name, template).join("\n")}
  }),
});`;
}

function findInJavaScript({ finds, named, ...call }: Preparation): string {
  const list = named === undefined ? `${finds}s[0]` : `${finds}s.find(({ name }) => name === "${named}")`;
  const found = call.method === "POST" ? finds : list;
  return `const ${finds}Response = ${toFetch(call)}
if (!${finds}Response.ok) throw new Error(await ${finds}Response.text());
const ${JAVASCRIPT[finds]} = (await ${finds}Response.json()).${found}.id;
`;
}

const inJavaScript = ({ first = [], file, ...last }: Example): string =>
  [
    ...(file === undefined ? [] : ['import { writeFile } from "node:fs/promises";\n']),
    "const { API, KEY } = process.env;",
    `const headers = { Authorization: \`Bearer \${KEY}\` };`,
    isUnique({ first, ...last }) ? "const unique = crypto.randomUUID();\n" : "",
    ...first.map(findInJavaScript),
    `const response = ${toFetch(last)}`,
    ...(file === undefined
      ? ["console.log(response.status, await response.text());"]
      : [
          "if (!response.ok) throw new Error(await response.text());",
          `await writeFile("${file}", response.body);`,
          "console.log(response.status);",
        ]),
  ].join("\n");

const formatted = (text: string): string => `f"${withNames(text, (name) => `{${PYTHON[name]}}`)}"`;

function toRequest({ method, path, body, hasIdempotencyKey }: Call): string {
  const url = formatted(`{API}${path}`);
  if (body === undefined)
    return `request = Request(${url}, ${method === undefined ? "" : `method="${method}", `}headers=headers)`;
  const key = hasIdempotencyKey === true ? '"Idempotency-Key": unique, ' : "";
  return `request = Request(
    ${url},
    method="${method}",
    headers={**headers, ${key}"Content-Type": "application/json"},
    data=json.dumps({
${linesOf(body, PYTHON, (name) => `    "${name}"`, formatted).join("\n")}
    }).encode(),
)`;
}

function findInPython({ finds, named, ...call }: Preparation): string {
  const found =
    named === undefined
      ? `json.load(response)${call.method === "POST" ? `["${finds}"]` : `["${finds}s"][0]`}["id"]`
      : `next(each["id"] for each in json.load(response)["${finds}s"] if each["name"] == "${named}")`;
  return `${toRequest(call)}
with urlopen(request) as response:
    ${PYTHON[finds]} = ${found}
`;
}

const PRINT_IN_PYTHON = `try:
    response = urlopen(request)
except HTTPError as refusal:
    response = refusal
print(response.status, response.read().decode())`;

function inPython({ first = [], file, ...last }: Example): string {
  const usesJson = last.body !== undefined || first.length > 0;
  const hasUnique = isUnique({ first, ...last });
  return [
    ...(usesJson ? ["import json"] : []),
    "import os",
    ...(hasUnique ? ["import uuid"] : []),
    ...(file === undefined ? ["from urllib.error import HTTPError"] : []),
    "from urllib.request import Request, urlopen",
    "",
    'API = os.environ["API"]',
    'headers = {"Authorization": "Bearer " + os.environ["KEY"]}',
    hasUnique ? "unique = str(uuid.uuid4())\n" : "",
    ...first.map(findInPython),
    toRequest(last),
    file === undefined
      ? PRINT_IN_PYTHON
      : `with urlopen(request) as response, open("${file}", "wb") as file:
    file.write(response.read())
print(response.status)`,
  ].join("\n");
}

const LANGUAGES = [
  { label: "curl", lang: "Shell", write: inShell },
  { label: "JavaScript", lang: "JavaScript", write: inJavaScript },
  { label: "Python", lang: "Python", write: inPython },
];

/**
 * The examples of an operation for its entry in the document. They are not in its description: generators print that into
 * comments, which an example may end.
 */
export function samplesOf(operationId: string) {
  const example = EXAMPLES[operationId];
  if (example === undefined) return {};
  return {
    "x-codeSamples": LANGUAGES.map(({ lang, label, write }) => ({ lang, label, source: write(example) })),
  };
}
