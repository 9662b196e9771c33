import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { api } from "../api/api-app";

/** Read by the build of the package, which knows nothing else of the Worker. */
const FILE = "src/client/generated/openapi.json";

/** Writes the OpenAPI document as the service answers it. */
export async function writeOpenApiDocument(): Promise<void> {
  const response = await api.request("https://waymark.example/api/v1/openapi.json", {}, {});
  if (!response.ok) throw new Error(`The API answered ${response.status} for its document.`);
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify(await response.json(), null, 2)}\n`);
}
