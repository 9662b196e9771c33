import { sayErrors, toProblem } from "./error-labels";
import { type Form, type PageContext, readForm } from "./request";

type Show = (c: PageContext) => Response | Promise<Response>;

/**
 * Answers a form with what `run` does. If that is refused, `show` shows the form's page again: it finds what was sent and
 * why it was refused in `c.var`.
 */
export const answerForm =
  (
    run: (c: PageContext, form: Form) => Response | Promise<Response>,
    show: Show,
    read: (c: PageContext) => Promise<Form> = readForm,
  ) =>
  async (c: PageContext): Promise<Response> => {
    try {
      return await run(c, await read(c));
    } catch (error) {
      const problem = sayErrors(toProblem(error));
      c.set("problem", problem);
      c.status(problem.status);
      return show(c);
    }
  };
