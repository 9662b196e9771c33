import { describe, expect, it } from "vitest";
import { API } from "../harness";
import { document, operations } from "../interface/operations";

interface Described {
  description?: string;
  "x-codeSamples"?: { lang: string; source: string }[];
}

const described = ({ path, method }: { path: string; method: string }) =>
  document.paths[path]?.[method.toLowerCase()] as Described;

// test/commands/examples.test.ts runs the examples.
describe("the examples", () => {
  it.each(operations)(
    "$operationId has one, in words and by itself, that ends in its own call",
    (operation) => {
      const { description, "x-codeSamples": samples = [] } = described(operation);
      expect(samples).toEqual([{ lang: "Shell", label: "curl", source: expect.any(String) }]);
      const [{ source } = { source: "" }] = samples;
      expect(description).toContain(`\`\`\`sh\n${source}\n\`\`\``);

      const call = source.slice(source.lastIndexOf("curl "));
      const path = operation.path.replace("/api/v1", "").replace("{id}", "$ID").replace("{tagId}", "$TAG");
      const ownPath = path.startsWith("/tags/") ? path.replace("$ID", "$TAG") : path;
      expect(call).toMatch(new RegExp(`"\\$API${ownPath.replaceAll("$", "\\$")}["?]`));
      expect(call).toContain("Bearer $KEY");
      const method = /-X (\w+)/.exec(call)?.[1] ?? (/ -d /.test(call) ? "POST" : "GET");
      expect(method).toBe(operation.method);
    },
  );

  it("need the variables that the description of the whole sets", () => {
    const { info } = document as unknown as { info: { description: string } };
    expect(info.description).toContain(`\`\`\`sh\nKEY=lnk_…\nAPI=${API}/api/v1\n\`\`\``);
  });
});
