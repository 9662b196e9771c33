import { writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import { runSource } from "./bundle";
import { GENERATED } from "./paths";

const ADDRESS = "https://waymark.example";

/** Requests the document from the service's own code. */
const SOURCE = `
import { api } from "../api/app";
export const value = (async () => {
  const response = await api.request("${ADDRESS}/api/v1/openapi.json", {}, {});
  if (!response.ok) throw new Error("The service answered " + response.status + " for its document.");
  return await response.json();
})();`;

/** Writes the OpenAPI document of the service, and the types made from it. */
export async function writeTypes(): Promise<void> {
  const document = await runSource(SOURCE);
  const text = JSON.stringify(document, null, 2);
  await writeFile(`${GENERATED}openapi.json`, `${text}\n`);
  await writeFile(`${GENERATED}api.d.ts`, astToString(await openapiTS(text)));
}
