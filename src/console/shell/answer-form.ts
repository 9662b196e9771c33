import { AlreadyDone, ServiceError } from "../../errors";
import { idOfForm } from "../../lib/ids";
import { storedId } from "../../lib/ulid-text";
import { findAuditEntry } from "../../resources/audit/audit-service";
import type { AuditRow } from "../../resources/audit/audit-statements";
import { toProblem } from "./error-labels";
import { href } from "./href";
import { redirectWithNotice, toReturnPath } from "./layout";
import { type Form, NO_FORM, type PageContext, readForm } from "./page-request";

export type Show = (c: PageContext) => Response | Promise<Response>;
export type FormRun = (c: PageContext, form: Form) => Response | Promise<Response>;
/** Answers a form that was sent before, by the audit entry of what it changed then. */
export type Repeat = (c: PageContext, entry: AuditRow, form: Form) => Response | Promise<Response>;

export interface FormAnswer {
  /** Shows the page of the form again if it is refused. Without it, the page of the error is shown. */
  show?: Show | undefined;
  read?: ((c: PageContext) => Promise<Form>) | undefined;
  repeat?: Repeat | undefined;
}

/** A button alone may be sent without a body. */
const readButton = async (c: PageContext): Promise<Form> =>
  c.req.header("Content-Type") === undefined ? NO_FORM : readForm(c);

/**
 * The operation of what a form changes, made of its id, its sender and its content: the audit trail has each operation once, so
 * the same form changes nothing a second time, and other content is another change.
 */
async function operationOf(c: PageContext, form: Form): Promise<string | undefined> {
  const id = storedId(form.fields["form"] ?? "");
  if (id === "") return undefined;
  return idOfForm(id, [c.var.person.email, c.req.path, form.sentFields, form.files]);
}

const REPEATED = "This form was sent twice. It was done the first time only.";

/** The pages of what a form changes, by the kind of its audit entry. */
const PAGES: Readonly<Record<string, typeof href.link>> = {
  link: href.link,
  group: href.group,
  tag: href.tag,
  asset: href.asset,
};

const isGone = (action: string): boolean => /\.(?:delete|merge)$/.test(action);

/** Leads to what the form changed, else to its section. */
const toChanged: Repeat = (c, { action, subject, batch }, form) => {
  const { workspace } = c.var;
  const page = batch === null && !isGone(action) ? PAGES[action.split(".")[0] ?? ""] : undefined;
  const section = c.req.path.split("/").slice(0, 4).join("/");
  const back = toReturnPath(c, form.fields["back"]) ?? page?.(workspace, subject) ?? section;
  return redirectWithNotice(c, back, REPEATED);
};

/** Statuses of a refusal that may come from the form itself having been done. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && [404, 409, 412, 422].includes(error.status);

/**
 * Answers a form with what `run` does, once: sent again, it changes nothing. If it is refused, `show` shows its page again: that
 * finds what was sent and why it was refused in `c.var`.
 */
export const answerForm =
  (
    run: FormRun,
    { show, read = show === undefined ? readButton : readForm, repeat = toChanged }: FormAnswer = {},
  ) =>
  async (c: PageContext): Promise<Response> => {
    let form = NO_FORM;
    try {
      form = await read(c);
      if (c.get("ctx") !== undefined) c.set("ctx", { ...c.var.ctx, operation: await operationOf(c, form) });
      return await run(c, form);
    } catch (error) {
      const { ctx } = c.var;
      const operation = error instanceof AlreadyDone || isRefusal(error) ? ctx?.operation : undefined;
      const entry = operation === undefined ? undefined : await findAuditEntry(ctx, operation);
      if (entry !== undefined) return repeat(c, entry, form);
      if (show === undefined) throw error;
      const problem = toProblem(error);
      c.set("problem", problem);
      c.status(problem.status);
      return show(c);
    }
  };
