import { main } from "./main";

// wrangler writes its progress to standard output, which must hold the command's result alone.
process.env["WRANGLER_LOG"] ??= "warn";
process.exitCode = await main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
