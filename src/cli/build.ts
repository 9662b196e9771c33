import "./node-version";
import { makeModules } from "./modules";
import { run } from "./run";

// What wrangler runs before it serves or uploads the Worker.
await run(makeModules);
