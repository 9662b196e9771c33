import { expect, it } from "vitest";
import readme from "../../README.md?raw";
import windows from "../../src/docs/windows.md?raw";

interface Call {
  method: string;
  url: string;
  body: unknown;
}

/** The commands of a block, each in one line. `mark` breaks a line and escapes a quotation mark. */
function callsOf(text: string, language: string, mark: string, program: RegExp): Call[] {
  const blocks = Array.from(text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)).filter(
    ([, name]) => name === language,
  );
  const lines = blocks.flatMap(([, , block = ""]) => block.replaceAll(`${mark}\n`, " ").split("\n"));
  return lines
    .filter((line) => program.test(line))
    .map((line) => {
      const [, quoted, plain] = /(?:-d|-Body) (?:'(\{[^']*)'|"(\{(?:[`\\].|[^"])*)")/.exec(line) ?? [];
      const json = quoted ?? plain?.replaceAll(mark, "");
      const [, method = json === undefined ? "GET" : "POST"] = /-(?:X|Method) (\w+)/.exec(line) ?? [];
      const [url = ""] = /(?:\$API|http:\/\/localhost:8787)\/[\w$/?=&]*/.exec(line) ?? [];
      return { method: method.toUpperCase(), url, body: json === undefined ? null : JSON.parse(json) };
    });
}

it("the steps for PowerShell send the requests of the README's for bash, in their order", () => {
  const bash = callsOf(readme, "sh", "\\", /\bcurl -s/);
  expect(bash.length).toBeGreaterThan(7);
  expect(bash.map(({ method }) => method)).toContain("DELETE");
  expect(callsOf(windows, "powershell", "`", /Invoke-RestMethod|curl\.exe/)).toEqual(bash);
});
