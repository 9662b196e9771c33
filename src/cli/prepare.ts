import "./node-version";
import { makeStaticFiles } from "./built-files";
import { writeOpenApiDocument } from "./openapi";

// Runs after `npm ci`. wrangler refuses a configuration whose directory of static assets is missing.
makeStaticFiles();
await writeOpenApiDocument();
