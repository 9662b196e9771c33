import { type Example, type ExampleRequest, fill, type Step, usesUnique, type Value } from "./example";

const VARIABLES: Readonly<Record<Value, string>> = { link: "ID", tag: "TAG", unique: "UNIQUE" };

/** The shell puts the values into what stands in double quotes. */
const doubleQuoted = (text: string): string =>
  `"${fill(
    text,
    (part) => part.replaceAll(/[\\"$`]/g, "\\$&"),
    (value) => `$${VARIABLES[value]}`,
  )}"`;

/** JSON is full of double quotes, so it stands in single ones, which end where a value begins. */
const singleQuoted = (text: string): string =>
  `'${fill(
    text,
    (part) => part.replaceAll("'", "'\\''"),
    (value) => `'"$${VARIABLES[value]}"'`,
  )}'`;

function curl(
  flags: string,
  { method, path, headers = {}, body }: ExampleRequest,
  ...more: string[]
): string {
  const implied = body === undefined ? "GET" : "POST";
  const verb = method === implied ? "" : `-X ${method} `;
  const url = `"$API${doubleQuoted(path).slice(1)}`;
  const options = Object.entries(headers).map(([name, text]) => `-H ${doubleQuoted(`${name}: ${text}`)}`);
  if (body !== undefined)
    options.push("-H 'Content-Type: application/json'", `-d ${singleQuoted(JSON.stringify(body))}`);
  return [`curl ${flags} ${verb}${url} -H "Authorization: Bearer $KEY"`, ...options, ...more].join(" \\\n  ");
}

function keepId(step: Step): string {
  const find =
    typeof step.from === "object"
      ? `grep -o '"id":"[^"]*","name":"${step.from.name}"'`
      : `grep -o '"id":"[^"]*"' | head -n 1`;
  return `${VARIABLES[step.keep]}=$(${curl("-sSf", step)} |\n  ${find} | cut -d '"' -f 4)`;
}

/** An example for a shell that has the variables `API` and `KEY`. It shows status, headers and body. */
export function renderCurl(example: Example): string {
  const { steps = [], call, saveAs } = example;
  return [
    ...(usesUnique(example) ? [`${VARIABLES.unique}=$(date +%s)-$$`] : []),
    ...steps.map(keepId),
    saveAs === undefined ? curl("-sS -i", call) : curl("-sSf", call, `-o ${saveAs} -w '%{http_code}\\n'`),
  ].join("\n");
}
