import { href } from "../href";
import type { PageContext } from "./request";

/** A button that undoes an operation and comes back to this page. */
export const Undo = ({
  c,
  operation,
  isOfLink = false,
  label = "Undo",
}: {
  c: PageContext;
  operation: string;
  /** Whether one link alone is undone, although its change may be part of a change of many. */
  isOfLink?: boolean;
  label?: string;
}) => {
  const { pathname, search } = new URL(c.req.url);
  return (
    <form method="post" action={href.undoChange(c.var.workspace, operation)}>
      <input type="hidden" name="back" value={pathname + search} />
      {isOfLink && <input type="hidden" name="of_link" value="1" />}
      <button type="submit" class="quiet">
        {label}
      </button>
    </form>
  );
};
