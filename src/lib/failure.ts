import type { FieldCode } from "./field-codes";

/** An invalid field: its name as sent, a sentence about what is valid, and a word for machines. */
export interface Failure {
  field: string;
  message: string;
  code: FieldCode;
  /** The id of the workspace's own link, tag or group that is in the way. */
  conflict?: string;
}
