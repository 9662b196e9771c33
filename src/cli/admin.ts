import { main } from "./main";

// wrangler tells its own progress on standard output, which belongs to the command.
process.env["WRANGLER_LOG"] ??= "warn";
process.exitCode = await main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
