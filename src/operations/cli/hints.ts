import { LOCAL_STATE } from "./platform";

/** A text as one word of a shell's command line. */
const toShellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A local command of the operator, to be typed. It names the directory of the state unless it is the default. */
export function adminHint(command: string, persistTo: string): string {
  const place = persistTo === LOCAL_STATE ? "" : ` --persist-to ${toShellWord(persistTo)}`;
  return `npm run admin -- ${command}${place}`;
}
