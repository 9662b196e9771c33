import { expect, it } from "vitest";
import { consoleApp } from "../../../src/console/app";
import { FORM_PATHS } from "../../../src/console/routes";
import { cases } from "./pages";

it("every page and every form of a workspace is measured", () => {
  const isRedirect = (method: string, path: string) =>
    method === "GET" && (FORM_PATHS.has(path) || path === "/app/:workspace/links/change");
  const routes = consoleApp.routes
    .filter(
      ({ method, path }) =>
        ["GET", "POST"].includes(method) && /^\/(?:app\/:workspace|reports)(?!.*\*$)/.test(path),
    )
    .filter(({ method, path }) => !isRedirect(method, path))
    .map(({ method, path }) => `${method} ${path}`);
  const measured = cases(() => {
    throw new Error("Nothing is asked for here.");
  }).map(({ route }) => route);
  expect([...new Set(measured)].sort(), "Each route has a row in test/proofs/scale/pages.ts.").toEqual(
    [...new Set(routes)].sort(),
  );
});
