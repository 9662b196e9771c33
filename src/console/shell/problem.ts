import { ServiceError } from "../../errors";

/** Why a form was refused. The message is shown above it, the errors at its fields. */
export interface Problem {
  status: ServiceError["status"];
  message: string;
  errors: Readonly<Record<string, readonly string[]>>;
}

/** A person can correct these in the form. */
const SHOWN_IN_FORM: ReadonlySet<number> = new Set([409, 412, 413, 422]);

/** The problem to show with the form. Throws any other error again. */
export function toProblem(error: unknown): Problem {
  if (!(error instanceof ServiceError) || !SHOWN_IN_FORM.has(error.status)) throw error;
  return { status: error.status, message: error.body.message, errors: error.body.errors ?? {} };
}
