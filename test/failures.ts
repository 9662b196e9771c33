import { codeOf, type Failure, messageOf } from "../src/lib/failure";

/** A failure as programs get it. */
export const toProgram = (failure: Failure) => ({
  field: failure.field,
  message: messageOf(failure),
  code: codeOf(failure),
});
