import { mkdir, rm } from "node:fs/promises";
import { bundleClient, bundleCommand, writeSchema } from "./bundle";
import { writeDeclarations } from "./declarations";
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
