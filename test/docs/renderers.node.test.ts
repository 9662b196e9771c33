// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the examples have templates of their own
import { describe, expect, it } from "vitest";
import { renderCurl } from "../../src/api/examples/curl";
import type { Example } from "../../src/api/examples/example";
import { renderJavaScript } from "../../src/api/examples/javascript";
import { renderPython } from "../../src/api/examples/python";

const lines = (...text: string[]): string => text.join("\n");

const AWKWARD = 'it\'s "50 %" of $5 `a` \\ {x} ${y}\n\u00e9';

describe("a request", () => {
  const example: Example = { call: { method: "GET", path: "/tags" } };

  it("is one call in curl", () => {
    expect(renderCurl(example)).toBe('curl -sS -i "$API/tags" -H "Authorization: Bearer $KEY"');
  });

  it("is a module in JavaScript", () => {
    expect(renderJavaScript(example)).toBe(
      lines(
        "const { API, KEY } = process.env;",
        "const headers = { Authorization: `Bearer ${KEY}` };",
        "",
        "const response = await fetch(`${API}/tags`, { headers });",
        "console.log(response.status, await response.text());",
      ),
    );
  });

  it("is a script with its imports in Python", () => {
    expect(renderPython(example)).toBe(
      lines(
        "import os",
        "from urllib.error import HTTPError",
        "from urllib.request import Request, urlopen",
        "",
        'API = os.environ["API"]',
        'headers = {"Authorization": "Bearer " + os.environ["KEY"]}',
        "",
        'request = Request(f"{API}/tags", headers=headers)',
        "try:",
        "    response = urlopen(request)",
        "except HTTPError as refusal:",
        "    response = refusal",
        "print(response.status, response.read().decode())",
      ),
    );
  });
});

const call = (more: Partial<Example["call"]>): Example => ({
  call: { method: "POST", path: "/links", ...more },
});

describe("in a request", () => {
  it.each<[string, Example, string, string, string]>([
    [
      "a method that is not implied",
      call({ method: "DELETE" }),
      'curl -sS -i -X DELETE "$API/links"',
      'method: "DELETE"',
      'method="DELETE"',
    ],
    [
      "a POST without a body",
      call({}),
      'curl -sS -i -X POST "$API/links"',
      'method: "POST"',
      'method="POST"',
    ],
    [
      "a path with ids",
      call({ path: "/links/{link}/tags/{tag}" }),
      '"$API/links/$ID/tags/$TAG"',
      "`${API}/links/${linkId}/tags/${tagId}`",
      'f"{API}/links/{link_id}/tags/{tag_id}"',
    ],
    [
      "a header of text and a value",
      call({ headers: { "Idempotency-Key": "a-{unique}" } }),
      '-H "Idempotency-Key: a-$UNIQUE"',
      '"Idempotency-Key": `a-${unique}`',
      '"Idempotency-Key": f"a-{unique}"',
    ],
    [
      "a text that every language could misread",
      call({ body: { title: AWKWARD } }),
      `-d '{"title":"it'\\''s \\"50 %\\" of $5 \`a\` \\\\ {x} \${y}\\n\u00e9"}'`,
      `{ title: ${JSON.stringify(AWKWARD)} }`,
      `{"title": ${JSON.stringify(AWKWARD)}}`,
    ],
    [
      "a header that a shell could misread",
      call({ headers: { "X-Note": '"$HOME" `id` \\' } }),
      '-H "X-Note: \\"\\$HOME\\" \\`id\\` \\\\"',
      '"X-Note": "\\"$HOME\\" `id` \\\\"',
      '"X-Note": "\\"$HOME\\" `id` \\\\"',
    ],
    [
      "a file to save",
      { ...call({}), saveAs: "poster.png" },
      "-o poster.png -w '%{http_code}\\n'",
      'await writeFile("poster.png", response.body);\nconsole.log(response.status);',
      'open("poster.png", "wb") as file:\n    file.write(response.read())\nprint(response.status)',
    ],
  ])("%s is written in all three languages", (_, example, curl, javaScript, python) => {
    expect(renderCurl(example)).toContain(curl);
    expect(renderJavaScript(example)).toContain(javaScript);
    expect(renderPython(example)).toContain(python);
  });
});

describe("a step stores", () => {
  const read = { method: "GET", path: "/tags" } as const;

  it.each<[string, NonNullable<Example["steps"]>[number], string, string, string]>([
    [
      "the first id of a list",
      { ...read, keep: "link", from: "first" },
      `ID=$(curl -sSf "$API/tags" -H "Authorization: Bearer $KEY" |\n  grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4)`,
      "const linkId = (await linkResponse.json()).links[0].id;",
      'link_id = json.load(response)["links"][0]["id"]',
    ],
    [
      "the id of the tag with a name",
      { ...read, keep: "tag", from: { name: "Print" } },
      `grep -o '"id":"[^"]*","name":"Print"' | cut -d '"' -f 4)`,
      'const tagId = (await tagResponse.json()).tags.find(({ name }) => name === "Print").id;',
      'tag_id = next(each["id"] for each in json.load(response)["tags"] if each["name"] == "Print")',
    ],
    [
      "the id of the created resource",
      { ...read, keep: "tag", from: "created" },
      `TAG=$(curl -sSf "$API/tags"`,
      "const tagId = (await tagResponse.json()).tag.id;",
      'tag_id = json.load(response)["tag"]["id"]',
    ],
  ])("%s, and ends the example if it is refused", (_, step, curl, javaScript, python) => {
    const example: Example = { steps: [step], call: { method: "GET", path: "/tags" } };
    expect(renderCurl(example)).toContain(curl);
    expect(renderJavaScript(example)).toContain(javaScript);
    expect(renderJavaScript(example)).toContain(
      `if (!${step.keep}Response.ok) throw new Error(await ${step.keep}Response.text());`,
    );
    expect(renderPython(example)).toContain(`with urlopen(request) as response:\n    ${python}\n`);
  });
});

it.each([
  ["is defined if it is used", "a {unique}", true],
  ["is left out if it is not used", "a", false],
])("a unique text %s", (_, title, isUsed) => {
  const example = call({ body: { title } });
  expect(renderCurl(example).startsWith("UNIQUE=$(date +%s)-$$\n")).toBe(isUsed);
  expect(renderJavaScript(example).includes("const unique = crypto.randomUUID();\n")).toBe(isUsed);
  expect(renderPython(example).includes("import uuid\n")).toBe(isUsed);
  expect(renderPython(example).includes("unique = str(uuid.uuid4())\n")).toBe(isUsed);
});
