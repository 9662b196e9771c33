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

const VARIABLES: Readonly<Record<Value, string>> = { link: "link_id", tag: "tag_id", unique: "unique" };

/** What stands between the quotes of an f-string. */
const formatText = (text: string): string =>
  fill(
    text,
    (part) => JSON.stringify(part).slice(1, -1).replaceAll(/[{}]/g, "$&$&"),
    (value) => `{${VARIABLES[value]}}`,
  );

/** Python reads every string of JSON as JSON means it. */
const string = stringWriter(VARIABLES, (text) => `f"${formatText(text)}"`);

const dictionary = (items: readonly string[], indent: string): string =>
  bracketed("{", "}", items, indent, "    ");

function requestOf({ method, path, headers = {}, body }: ExampleRequest): string {
  const extra = Object.entries(headers).map(([name, text]) => `"${name}": ${string(text)}`);
  if (body !== undefined) extra.push('"Content-Type": "application/json"');
  const parts = [
    `f"{API}${formatText(path)}"`,
    ...(method === "GET" ? [] : [`method="${method}"`]),
    extra.length === 0 ? "headers=headers" : `headers=${dictionary(["**headers", ...extra], "    ")}`,
  ];
  if (body !== undefined) {
    const items = Object.entries(body).map(([name, value]) => `"${name}": ${literal(value, string)}`);
    parts.push(`data=json.dumps(${dictionary(items, "    ")}).encode()`);
  }
  return `request = ${bracketed("Request(", ")", parts, "", "    ")}`;
}

function keepId(step: Step): string {
  const { keep, from } = step;
  const id =
    from === "created"
      ? `json.load(response)["${keep}"]["id"]`
      : from === "first"
        ? `json.load(response)["${keep}s"][0]["id"]`
        : `next(each["id"] for each in json.load(response)["${keep}s"] if each["name"] == ${string(from.name)})`;
  return `${requestOf(step)}\nwith urlopen(request) as response:\n    ${VARIABLES[keep]} = ${id}\n`;
}

const SHOW = `try:
    response = urlopen(request)
except HTTPError as refusal:
    response = refusal
print(response.status, response.read().decode())`;

const save = (file: string): string => `with urlopen(request) as response, open("${file}", "wb") as file:
    file.write(response.read())
print(response.status)`;

/** An example for Python 3 with `API` and `KEY` in its environment and nothing installed. It shows status and body. */
export function renderPython(example: Example): string {
  const { steps = [], call, saveAs } = example;
  const hasUnique = usesUnique(example);
  return [
    ...(steps.length > 0 || call.body !== undefined ? ["import json"] : []),
    "import os",
    ...(hasUnique ? ["import uuid"] : []),
    ...(saveAs === undefined ? ["from urllib.error import HTTPError"] : []),
    "from urllib.request import Request, urlopen",
    "",
    'API = os.environ["API"]',
    'headers = {"Authorization": "Bearer " + os.environ["KEY"]}',
    ...(hasUnique ? ["unique = str(uuid.uuid4())"] : []),
    "",
    ...steps.map(keepId),
    requestOf(call),
    saveAs === undefined ? SHOW : save(saveAs),
  ].join("\n");
}
