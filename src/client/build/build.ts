import { mkdir, rm } from "node:fs/promises";
import { bundleClient, bundleCommand, writeDeclarations, writeSchema } from "./bundle";
import { writeTypes } from "./document";
import { DIST, GENERATED } from "./paths";

await mkdir(GENERATED, { recursive: true });
await writeTypes();
if (!process.argv.includes("--types-only")) {
  await rm(DIST, { recursive: true, force: true });
  await mkdir(DIST, { recursive: true });
  await bundleClient();
  await bundleCommand();
  await writeSchema();
  await writeDeclarations();
}
