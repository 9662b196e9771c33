import { describe, expect, it } from "vitest";
import { API } from "../harness";
import { document } from "../interface/document";
import { operations } from "../interface/operations";

interface Described {
  description?: string;
  "x-codeSamples"?: { lang: string; label: string; source: string }[];
}

const described = ({ path, method }: { path: string; method: string }) =>
  document.paths[path]?.[method.toLowerCase()] as Described;

const sourceOf = (operation: { path: string; method: string }, label: string): string =>
  described(operation)["x-codeSamples"]?.find((sample) => sample.label === label)?.source ?? "";

/** The path of an operation with its variables as a language writes them. */
const pathWith = ({ path }: { path: string }, link: string, tag: string): string =>
  path
    .replace("/api/v1", "")
    .replace("{tagId}", tag)
    .replace("{id}", path.startsWith("/api/v1/tags/") ? tag : link);

/** The method and path of the last request that a program makes. */
function lastRequest(source: string, begin: string, url: RegExp, method: RegExp): [string, string] {
  const call = source.slice(source.lastIndexOf(begin));
  return [method.exec(call)?.[1] ?? "GET", url.exec(call)?.[1] ?? ""];
}

// test/commands/examples.test.ts runs the examples.
describe("the examples", () => {
  it.each(operations)(
    "$operationId has one example, as code samples and not in its description, that ends in its own call",
    (operation) => {
      const { description, "x-codeSamples": samples = [] } = described(operation);
      expect(samples).toEqual([
        { lang: "Shell", label: "curl", source: expect.any(String) },
        { lang: "JavaScript", label: "JavaScript", source: expect.any(String) },
        { lang: "Python", label: "Python", source: expect.any(String) },
      ]);
      for (const { source } of samples) expect(description).not.toContain(source);

      const source = sourceOf(operation, "curl");
      const call = source.slice(source.lastIndexOf("curl "));
      const path = pathWith(operation, "$ID", "$TAG");
      expect(call).toMatch(new RegExp(`"\\$API${path.replaceAll("$", "\\$")}["?]`));
      expect(call).toContain("Bearer $KEY");
      const method = /-X (\w+)/.exec(call)?.[1] ?? (/ -d /.test(call) ? "POST" : "GET");
      expect(method).toBe(operation.method);
    },
  );

  it.each(operations)("$operationId ends in its own call in JavaScript and in Python too", (operation) => {
    expect(
      lastRequest(
        sourceOf(operation, "JavaScript"),
        "fetch(",
        /^fetch\(`\$\{API\}([^`?]*)/,
        /method: "(\w+)"/,
      ),
    ).toEqual([operation.method, pathWith(operation, `\${linkId}`, `\${tagId}`)]);
    expect(
      lastRequest(
        sourceOf(operation, "Python"),
        "Request(",
        /^Request\(\s*f"\{API\}([^"?]*)/,
        /method="(\w+)"/,
      ),
    ).toEqual([operation.method, pathWith(operation, "{link_id}", "{tag_id}")]);
  });

  it("need only the variables that the API description sets", () => {
    const { info } = document as unknown as { info: { description: string } };
    expect(info.description).toContain(`\`\`\`sh\nexport KEY=lnk_…\nexport API=${API}/api/v1\n\`\`\``);
  });
});
