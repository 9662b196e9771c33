import { sha256Hex } from "./hash";

const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/** The id of what a form makes of some values, so that it is made once if the form is sent twice: a ULID with the time of the form's id. */
export async function idOfForm(formId: string, values: readonly unknown[]): Promise<string> {
  const hash = await sha256Hex(JSON.stringify([formId, ...values]));
  return formId.slice(0, TIME_CHARACTERS) + hash.slice(0, RANDOM_CHARACTERS).toUpperCase();
}
