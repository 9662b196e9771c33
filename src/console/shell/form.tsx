import type { Child } from "hono/jsx";
import { Button } from "./button";
import { fieldOfError } from "./error-labels";
import { serialiseInitialFields } from "./initial-fields";
import type { Problem } from "./problem";
import type { PageContext } from "./request";

interface Common {
  label: string;
  name: string;
  value?: string | number | null | undefined;
  problem?: Problem | undefined;
  /** Under the label. */
  hint?: Child;
  required?: boolean;
}

export type Values = Readonly<Record<string, string | number | null | undefined>>;

/** The name, value and errors of a field, for `<Field {...own("name")}>`. */
export type OwnField = (name: string) => Pick<Common, "name" | "value" | "problem">;

/** The fields of the form with this action: as they were sent, if it was, else with initial values. */
export function fieldsOf(c: PageContext, action: string, initial: Values = {}): OwnField {
  const { form, problem } = c.req.path === action.split("?")[0] ? c.var : {};
  const values = form?.fields ?? initial;
  return (name) => ({ name, value: values[name], problem });
}

/** The values that an edit form starts with, so that only what was changed is saved. */
export const InitialFields = ({ own, values }: { own: OwnField; values: Values }) => (
  <input type="hidden" name="was" value={own("was").value ?? serialiseInitialFields(values)} />
);

/** Values that a form sends along. Those that are undefined or null are left out. */
export const HiddenFields = ({
  fields,
}: {
  fields: Readonly<Record<string, string | number | readonly string[] | null | undefined>>;
}) => (
  <>
    {Object.entries(fields).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => <input type="hidden" name={name} value={one} />),
    )}
  </>
);

/** The button that sends a form, and a link that leaves it. */
export const Submit = ({ label, cancel }: { label: string; cancel?: string }) => (
  <div class="row">
    <Button label={label} kind="primary" />
    {cancel !== undefined && <a href={cancel}>Cancel</a>}
  </div>
);

/** The messages of a field, and of the items of a list. */
const messagesOf = (problem: Problem | undefined, name: string): string[] =>
  Object.entries(problem?.errors ?? {})
    .filter(([field]) => field === name || field.startsWith(`${name}.`))
    .flatMap(([, ofField]) => ofField);

/** A control with its label, hint and errors. The first refused control of a page has the focus. */
export const Labelled = ({
  label,
  name,
  problem,
  hint,
  required,
  children,
}: Common & { children: (attributes: Record<string, unknown>) => Child }) => {
  const messages = messagesOf(problem, name);
  const describedBy = [hint ? `${name}-hint` : "", messages.length > 0 ? `${name}-refusal` : ""].filter(
    Boolean,
  );
  return (
    <div class="field">
      <label for={name}>
        {label}
        {required === true ? "" : <span class="optional"> (optional)</span>}
      </label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id: name,
        name,
        required: required === true,
        "aria-describedby": describedBy.length > 0 ? describedBy.join(" ") : undefined,
        "aria-invalid": messages.length > 0 ? "true" : undefined,
        autofocus: messages.length > 0 ? true : undefined,
      })}
      {messages.length > 0 && (
        <p class="refused" id={`${name}-refusal`}>
          {messages.join(" ")}
        </p>
      )}
    </div>
  );
};

export type FieldProperties = Common & { type?: string; attributes?: Record<string, unknown> };

export const Field = ({ type = "text", attributes = {}, ...common }: FieldProperties) => (
  <Labelled {...common}>
    {(own) => <input type={type} value={common.value ?? ""} autocomplete="off" {...own} {...attributes} />}
  </Labelled>
);

/** A checkbox that sends "true". */
export const Tick = ({ label, name, value, problem, hint }: Common) => {
  const messages = problem?.errors[name] ?? [];
  return (
    <div class="field">
      <label class="tick">
        <input
          type="checkbox"
          id={name}
          name={name}
          value="true"
          checked={value === "true"}
          aria-describedby={hint ? `${name}-hint` : undefined}
        />
        {label}
      </label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {messages.length > 0 && <p class="refused">{messages.join(" ")}</p>}
    </div>
  );
};

export const TextArea = ({ rows = 3, ...common }: Common & { rows?: number }) => (
  <Labelled {...common}>
    {(own) => (
      <textarea rows={rows} {...own}>
        {common.value ?? ""}
      </textarea>
    )}
  </Labelled>
);

export type Options = readonly (readonly [value: string, label: string])[];

export type SelectProperties = Common & {
  options: Options;
  /** The label of the empty option. Without it there is no empty option. */
  none?: string;
  attributes?: Record<string, unknown>;
};

export const Select = ({ options, none, attributes = {}, ...common }: SelectProperties) => (
  <Labelled {...common}>
    {(own) => (
      <select {...own} {...attributes}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([value, label]) => (
          <option value={value} selected={value === common.value}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

/** Why the form of a link was refused: its errors with a link to the field of each, or the message alone. */
export const ErrorSummary = ({ problem }: { problem: Problem }) => {
  const errors = Object.entries(problem.errors);
  return (
    <div class="refusal" role="alert">
      <p>{errors.length === 0 ? problem.message : "Nothing is saved yet:"}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(([error, messages]) => {
            const field = fieldOfError(error);
            const text = messages.join(" ");
            return <li>{field === undefined ? text : <a href={`#${field}`}>{text}</a>}</li>;
          })}
        </ul>
      )}
    </div>
  );
};

/** An action that cannot be undone. The person opens it, reads the consequence, then confirms. */
export const Dangerous = ({
  summary,
  consequence,
  action,
  button,
  open = false,
  children,
}: {
  summary: string;
  consequence: Child;
  action: string;
  button: string;
  open?: boolean;
  children?: Child;
}) => (
  <details class="dangerous" open={open}>
    <summary>{summary}</summary>
    <form method="post" action={action}>
      <p>{consequence}</p>
      {children}
      <Button label={button} kind="danger" />
    </form>
  </details>
);
