import { mkdir, rm, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import { fileSchema } from "../file/file-schema";
import { bundleClient, bundleCommand, DIST, GENERATED, runSource } from "./bundle";

/** Requests the document from the service's own code. */
const SOURCE = `
import { api } from "../api/api-app";
const request = async () => {
  const response = await api.request("https://waymark.example/api/v1/openapi.json", {}, {});
  if (!response.ok) throw new Error("The service answered " + response.status + " for its document.");
  return response.json();
};
export default request();`;

/** Writes the OpenAPI document of the service, and the types made from it. */
async function writeTypes(): Promise<void> {
  await mkdir(GENERATED, { recursive: true });
  const text = JSON.stringify(await runSource(SOURCE), null, 2);
  await writeFile(`${GENERATED}openapi.json`, `${text}\n`);
  await writeFile(`${GENERATED}api.d.ts`, astToString(await openapiTS(text)));
}

await writeTypes();
if (!process.argv.includes("--types-only")) {
  await rm(DIST, { recursive: true, force: true });
  await mkdir(DIST, { recursive: true });
  await bundleClient();
  await bundleCommand();
  await writeFile(`${DIST}schema.json`, `${JSON.stringify(fileSchema(), null, 2)}\n`);
}
