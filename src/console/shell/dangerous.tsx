import type { Child } from "hono/jsx";
import { Button } from "./button";
import { currentPage } from "./page-request";
import { HiddenFields, PostForm } from "./post-form";

/**
 * An action that cannot be undone. The person opens it, reads the consequence, then confirms. It is open if it was refused: the
 * form that was sent has its address and its `fields`.
 */
export const Dangerous = ({
  summary,
  consequence,
  action,
  button,
  fields = {},
  children,
}: {
  summary: Child;
  consequence: Child;
  action: string;
  button: string;
  /** What tells it from other forms with this action. */
  fields?: Readonly<Record<string, string>>;
  children?: Child;
}) => {
  const { req, var: page } = currentPage();
  const isSent =
    req.path === action && Object.entries(fields).every(([name, value]) => page.form?.fields[name] === value);
  return (
    <details class="dangerous" open={isSent}>
      <summary>{summary}</summary>
      <PostForm action={action}>
        <p>{consequence}</p>
        <HiddenFields fields={fields} />
        {children}
        <Button label={button} kind="danger" />
      </PostForm>
    </details>
  );
};
