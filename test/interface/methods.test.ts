import { describe, expect, it } from "vitest";
import { makeWorkspace } from "../harness";
import { document } from "./document";
import { pathOf, UNKNOWN } from "./operations";

describe("methods of the documented paths", () => {
  const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const paths = [
    ...Object.entries(document.paths).map(([path, methods]) => ({
      path,
      allowed: Object.keys(methods).flatMap((method) =>
        method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()],
      ),
    })),
    { path: "/api/v1/openapi.json", allowed: ["GET", "HEAD"] },
  ];

  it.each(paths)(
    "that $path does not have are 405 with Allow, even without a key",
    async ({ path, allowed }) => {
      const ws = await makeWorkspace();
      for (const method of METHODS.filter((candidate) => !allowed.includes(candidate))) {
        for (const authorization of [null, "Bearer x", `Bearer ${ws.key}`]) {
          const answer = await ws.call(method, pathOf(path, UNKNOWN), { headers: { authorization } });
          expect(answer.status, method).toBe(405);
          expect((answer.headers.get("allow") ?? "").split(", ").sort(), method).toEqual([...allowed].sort());
          expect(answer.headers.get("content-type")).toBe("application/json");
          expect(answer.headers.get("www-authenticate")).toBeNull();
          expect(answer.headers.get("cache-control")).toBe("no-store");
          expect(answer.text).toBe(method === "HEAD" ? "" : '{"message":"Method not allowed."}');
        }
      }
    },
  );

  it.each(paths)(
    "$path with a trailing slash is an unknown path for any method",
    async ({ path, allowed }) => {
      const ws = await makeWorkspace();
      for (const method of [...allowed, "PUT"]) {
        const answer = await ws.call(method, `${pathOf(path, UNKNOWN)}/`, {
          headers: { authorization: null },
        });
        expect([answer.status, answer.text], method).toEqual([
          404,
          method === "HEAD" ? "" : '{"message":"Not found."}',
        ]);
      }
    },
  );
});
