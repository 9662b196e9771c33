import "./node-version";
import { makeStaticFiles } from "./static";

// Runs after `npm ci`. wrangler refuses a configuration whose directory of static assets is missing.
makeStaticFiles();
