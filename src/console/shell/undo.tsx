import { href } from "../href";
import type { PageContext } from "./request";

/** A button that undoes an operation and comes back to this page. */
export const Undo = ({
  c,
  operation,
  label = "Undo",
}: {
  c: PageContext;
  operation: string;
  label?: string;
}) => {
  const { pathname, search } = new URL(c.req.url);
  return (
    <form method="post" action={href.undoChange(c.var.membership.workspace.slug, operation)}>
      <input type="hidden" name="back" value={pathname + search} />
      <button type="submit" class="quiet">
        {label}
      </button>
    </form>
  );
};
