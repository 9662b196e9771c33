import { makeStaticFiles } from "./static";

// After `npm ci`: wrangler refuses a configuration whose directory of static assets is not there.
makeStaticFiles();
