import {
  bracketed,
  type Example,
  type ExampleRequest,
  fill,
  literal,
  type Step,
  stringWriter,
  usesUnique,
  type Value,
} from "./example";

const VARIABLES: Readonly<Record<Value, string>> = { link: "linkId", tag: "tagId", unique: "unique" };

/** What stands between the backticks of a template literal. */
const templateText = (text: string): string =>
  fill(
    text,
    (part) => part.replaceAll(/[\\`]|\$\{/g, "\\$&"),
    (value) => `\${${VARIABLES[value]}}`,
  );

const string = stringWriter(VARIABLES, (text) => `\`${templateText(text)}\``);

const object = (properties: readonly string[], indent: string): string =>
  bracketed("{ ", " }", properties, indent, "  ");

function fetchOf({ method, path, headers = {}, body }: ExampleRequest): string {
  const extra = Object.entries(headers).map(([name, text]) => `"${name}": ${string(text)}`);
  if (body !== undefined) extra.push('"Content-Type": "application/json"');
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    extra.length === 0 ? "headers" : `headers: ${object(["...headers", ...extra], "  ")}`,
  ];
  if (body !== undefined) {
    const properties = Object.entries(body).map(([name, value]) => `${name}: ${literal(value, string)}`);
    options.push(`body: JSON.stringify(${object(properties, "  ")})`);
  }
  return `await fetch(\`\${API}${templateText(path)}\`, ${object(options, "")});`;
}

function keepId(step: Step): string {
  const { keep, from } = step;
  const answer = `${keep}Response`;
  const found = `(await ${answer}.json())`;
  const id =
    from === "created"
      ? `${found}.${keep}.id`
      : from === "first"
        ? `${found}.${keep}s[0].id`
        : `${found}.${keep}s.find(({ name }) => name === ${string(from.name)}).id`;
  return `const ${answer} = ${fetchOf(step)}
if (!${answer}.ok) throw new Error(await ${answer}.text());
const ${VARIABLES[keep]} = ${id};\n`;
}

/** An example as a module of JavaScript, for Node.js with `API` and `KEY` in its environment. It shows status and body. */
export function renderJavaScript(example: Example): string {
  const { steps = [], call, saveAs } = example;
  return [
    ...(saveAs === undefined ? [] : ['import { writeFile } from "node:fs/promises";\n']),
    "const { API, KEY } = process.env;",
    `const headers = { Authorization: \`Bearer \${KEY}\` };`,
    ...(usesUnique(example) ? ["const unique = crypto.randomUUID();"] : []),
    "",
    ...steps.map(keepId),
    `const response = ${fetchOf(call)}`,
    ...(saveAs === undefined
      ? ["console.log(response.status, await response.text());"]
      : [
          "if (!response.ok) throw new Error(await response.text());",
          `await writeFile("${saveAs}", response.body);`,
          "console.log(response.status);",
        ]),
  ].join("\n");
}
