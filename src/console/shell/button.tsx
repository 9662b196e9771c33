import type { Child } from "hono/jsx";

/** A button that sends its form. A name and a value say which one was pressed. */
export const Button = ({
  label,
  kind,
  name,
  value,
}: {
  label: Child;
  kind?: "primary" | "danger" | "quiet";
  name?: string;
  value?: string;
}) => (
  <button type="submit" class={kind} name={name} value={value}>
    {label}
  </button>
);

/** A link that looks like a button. */
export const ButtonLink = ({ to, label, isPrimary }: { to: string; label: Child; isPrimary?: boolean }) => (
  <a class={isPrimary === true ? "button primary" : "button"} href={to}>
    {label}
  </a>
);

/** One of several views of a page, in a list. */
export const Choice = ({
  href,
  isCurrent,
  title,
  children,
}: {
  href: string;
  isCurrent: boolean;
  title?: string;
  children?: Child;
}) => (
  <li>
    <a class="choice" href={href} aria-current={isCurrent ? "true" : undefined} title={title}>
      {children}
    </a>
  </li>
);

/** A text to copy. If copying fails, or without scripts, it can be selected. */
export const Copied = ({ text, label }: { text: string; label: string }) => (
  <>
    <pre tabindex={0} data-by-hand="">
      {text}
    </pre>
    <div>
      <button type="button" data-copy={text} hidden>
        <span>{label}</span>
      </button>
    </div>
  </>
);
