import "./node-version";
import { onParentEnd } from "./parent";
import { run } from "./run";

/** While it prepares nothing else runs. After that it ends by `SIGTERM`, which ends the server too. */
onParentEnd(() => process.kill(process.pid, "SIGTERM"));
const { dev } = await import("./dev-server");
await run(() => dev(process.argv.slice(2)));
