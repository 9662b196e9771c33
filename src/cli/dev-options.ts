import { parseArgs } from "node:util";
import { LOCAL_PORT, LOCAL_STATE } from "./platform";
import { choosePort } from "./port";

/** Variables given as `NAME:value`. wrangler takes several behind one `--var`. */
const toVars = (given: readonly (string | boolean)[]): Record<string, string> =>
  Object.fromEntries(
    given.flatMap((text) => {
      const [, name, value = ""] = /^(\w+):(.*)$/s.exec(String(text)) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );

/** Reads the options that this command needs too, and chooses a port. `wrangler dev` gets all, and these also by default. */
export async function parseDevOptions(argv: readonly string[]) {
  const options = {
    port: { type: "string" },
    "persist-to": { type: "string" },
    var: { type: "string", multiple: true },
    "env-file": { type: "string", multiple: true },
  } as const;
  const { values, positionals } = parseArgs({ args: [...argv], options, strict: false });
  const given = values.port === undefined ? undefined : Number(values.port);
  if (given !== undefined && (!Number.isInteger(given) || given < 1 || given > 65535))
    throw new Error("--port must be between 1 and 65535.");
  const port = await choosePort(given);
  const persistTo = String(values["persist-to"] ?? LOCAL_STATE);
  const envFiles = values["env-file"]?.map(String);
  const passed = [...argv];
  if (given === undefined) passed.push("--port", String(port));
  if (values["persist-to"] === undefined) passed.push("--persist-to", persistTo);
  return {
    port,
    isOtherPort: given === undefined && port !== LOCAL_PORT,
    platform: {
      remote: false,
      persistTo,
      vars: toVars([...(values.var ?? []), ...positionals]),
      ...(envFiles && { envFiles }),
    },
    passed,
  };
}
