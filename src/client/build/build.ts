import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import { fileSchema } from "../file/file-schema";
import { bundleClient, bundleCommand, DIST, GENERATED } from "./bundle";

/** Writes the types of the OpenAPI document, which the root has written. */
async function writeTypes(): Promise<void> {
  const text = await readFile(`${GENERATED}openapi.json`, "utf8").catch(() => {
    throw new Error(
      "generated/openapi.json is missing. Run `npm run prepare` in the root of the repository.",
    );
  });
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
