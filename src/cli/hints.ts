import { LOCAL_STATE } from "./platform";

/** A text as one word of a shell's command line. A path of Windows has no quotation marks. */
function toShellWord(text: string, isWindows: boolean): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return isWindows ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A local command of the operator, to be typed. It names the directory of the state unless it is the default. In PowerShell
 * plain `npm` may be a script, which loses `--`.
 */
export function adminHint(command: string, persistTo: string, platform = process.platform): string {
  const isWindows = platform === "win32";
  const place = persistTo === LOCAL_STATE ? "" : ` --persist-to ${toShellWord(persistTo, isWindows)}`;
  return `${isWindows ? "npm.cmd" : "npm"} run admin -- ${command}${place}`;
}
