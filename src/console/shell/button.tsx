import type { Child, JSX } from "hono/jsx";
import { newId } from "../../lib/ids";
import { here, thisPage } from "./href";
import { Icon, type IconName } from "./icon";

type ButtonProperties = JSX.IntrinsicElements["button"] & {
  label: Child;
  kind?: "primary" | "danger" | "quiet" | "plain-button";
  icon?: IconName;
  /** For screen readers, where the label says too little. */
  description?: string;
};

/** A button that sends its form. A name and a value say which one was pressed. */
export const Button = ({ label, kind, icon, description, ...attributes }: ButtonProperties) => (
  <button type="submit" class={kind} {...attributes} aria-label={description}>
    {icon && <Icon of={icon} />}
    {label}
  </button>
);

/** Every form that changes something. Its id tells that it is sent again, so that it changes that once. */
export const ActionForm = ({
  children,
  ...attributes
}: JSX.IntrinsicElements["form"] & { action: string; children?: Child }) => (
  <form {...attributes}>
    <input type="hidden" name="form" value={newId(Date.now())} />
    {children}
  </form>
);

/** A form that is one button. */
export const PostButton = ({ to, ...button }: { to: string } & ButtonProperties) => (
  <ActionForm method="post" action={to}>
    <Button {...button} />
  </ActionForm>
);

/** A link that looks like a button. */
export const ButtonLink = ({
  to,
  label,
  icon,
  isPrimary,
}: {
  to: string;
  label: Child;
  icon?: IconName;
  isPrimary?: boolean;
}) => (
  <a class={isPrimary === true ? "button primary" : "button"} href={to}>
    {icon && <Icon of={icon} />}
    {label}
  </a>
);

/** Actions that are needed less often. A page leaves out one with `false`. */
export const MoreMenu = ({ actions, label = "More" }: { actions: readonly Child[]; label?: Child }) => (
  <details class="dropdown">
    <summary class="button">{label}</summary>
    <ul class="card choices-below">{actions.map((action) => action !== false && <li>{action}</li>)}</ul>
  </details>
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
        <Icon of="copy" />
        <span>{label}</span>
      </button>
    </div>
  </>
);

/** A button that undoes an operation and comes back to this page. */
export const Undo = ({
  operation,
  isOfLink = false,
  isOfImport = false,
  label = "Undo",
}: {
  /** Of an import, its id. */
  operation: string;
  isOfImport?: boolean;
  /** Whether one link alone is undone, although its change may be part of a change of many. */
  isOfLink?: boolean;
  label?: string;
}) => (
  <ActionForm method="post" action={isOfImport ? here.undoImport(operation) : here.undoChange(operation)}>
    <input type="hidden" name="back" value={thisPage()} />
    {isOfLink && <input type="hidden" name="of_link" value="1" />}
    <Button label={label} kind="quiet" icon="undo" />
  </ActionForm>
);
