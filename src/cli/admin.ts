import "./node-version";
import { main } from "./main";
import { holdRuntimeErrors } from "./runtime-errors";

// wrangler writes its progress to standard output, which must hold the command's result alone.
process.env["WRANGLER_LOG"] ??= "warn";
const releaseRuntimeErrors = holdRuntimeErrors(console);
const code = await main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  // Called only if the command fails.
  err: (text) => process.stderr.write(`${releaseRuntimeErrors()}${text}`),
});
// What wrangler still tries after a failure must not keep the process.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
