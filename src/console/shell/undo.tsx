import { Button } from "./button";
import { here } from "./href";
import { currentPage } from "./request";

/** A button that undoes an operation and comes back to this page. */
export const Undo = ({
  operation,
  isOfLink = false,
  label = "Undo",
}: {
  operation: string;
  /** Whether one link alone is undone, although its change may be part of a change of many. */
  isOfLink?: boolean;
  label?: string;
}) => {
  const { pathname, search } = new URL(currentPage().req.url);
  return (
    <form method="post" action={here.undoChange(operation)}>
      <input type="hidden" name="back" value={pathname + search} />
      {isOfLink && <input type="hidden" name="of_link" value="1" />}
      <Button label={label} kind="quiet" />
    </form>
  );
};
