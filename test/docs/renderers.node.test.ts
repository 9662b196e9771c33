// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the examples have templates of their own
import { describe, expect, it } from "vitest";
import { renderCurl } from "../../src/api/examples/curl";
import type { Example } from "../../src/api/examples/example";
import { renderJavaScript } from "../../src/api/examples/javascript";
import { renderPython } from "../../src/api/examples/python";

const AWKWARD = 'it\'s "50 %" of $5 `a` \\ {x} ${y}\n\u00e9';

const call = (more: Partial<Example["call"]>): Example => ({
  call: { method: "POST", path: "/links", ...more },
});

// `test/commands/examples.test.ts` runs the examples, which have the rest of what a renderer writes.
describe("in a request", () => {
  it.each<[string, Example, string, string, string]>([
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
  ])("%s is written in all three languages", (_, example, curl, javaScript, python) => {
    expect(renderCurl(example)).toContain(curl);
    expect(renderJavaScript(example)).toContain(javaScript);
    expect(renderPython(example)).toContain(python);
  });
});
