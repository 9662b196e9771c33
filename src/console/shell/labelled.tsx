import { type Child, createContext, useContext } from "hono/jsx";
import { type Problem, sayOf } from "./error-labels";
import type { Form } from "./page-request";

export type Values = Readonly<Record<string, string | number | null | undefined>>;

/** What the fields of a form show: their values, and why the form was refused. */
export const FormContext = createContext<{
  values: Values;
  initial?: Values;
  /** A value with its lines, if the form was sent. */
  lines?: Form["lines"] | undefined;
  problem?: Problem | undefined;
}>({ values: {} });

export interface Common {
  label: string;
  name: string;
  /** If it is not that of the form. */
  value?: Values[string];
  /** The name of its errors, if they have another; null if they are shown elsewhere. */
  error?: string | null;
  /** Under the label. */
  hint?: Child;
  required?: boolean;
  /** Whether its label says that it may be empty, since most fields of its form may not. */
  isOptional?: boolean;
}

/** The messages of a field, and of the items of a list. */
export const messagesOf = (problem: Problem | undefined, name: string): string[] => [
  ...new Set(
    (problem?.failures ?? [])
      .filter(({ field }) => field === name || field.startsWith(`${name}.`))
      .map(sayOf),
  ),
];

const Refusal = ({ name, messages }: { name: string; messages: readonly string[] }) =>
  messages.length > 0 && (
    <p class="refused" id={`${name}-refusal`}>
      {messages.join(" ")}
    </p>
  );

/** Choices with their legend, and what is wrong with them as a whole. */
export const FieldGroup = ({
  name,
  legend,
  errors = [name],
  children,
  ...attributes
}: {
  name: string;
  legend: string;
  /** The names of its errors, if they have others. */
  errors?: readonly string[];
  "data-picks"?: string;
  children?: Child;
}) => {
  const { problem } = useContext(FormContext);
  const messages = errors.flatMap((error) => messagesOf(problem, error));
  return (
    <fieldset
      id={name}
      tabindex={-1}
      aria-describedby={messages.length > 0 ? `${name}-refusal` : undefined}
      {...attributes}
    >
      <legend>{legend}</legend>
      {children}
      <Refusal name={name} messages={messages} />
    </fieldset>
  );
};

/** A control with its label, hint and errors. The first refused control of a page has the focus. */
export const Labelled = ({
  label,
  name,
  value,
  error = name,
  hint,
  required,
  isOptional,
  children,
}: Common & { children: (attributes: Record<string, unknown>, value: string | number) => Child }) => {
  const { values, problem } = useContext(FormContext);
  const messages = error === null ? [] : messagesOf(problem, error);
  const describedBy = [hint ? `${name}-hint` : "", messages.length > 0 ? `${name}-refusal` : ""].filter(
    Boolean,
  );
  return (
    <div class="field">
      <label for={name}>
        {label}
        {isOptional && <span class="optional"> (optional)</span>}
      </label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children(
        {
          id: name,
          name,
          required: required === true,
          "aria-describedby": describedBy.length > 0 ? describedBy.join(" ") : undefined,
          "aria-invalid": messages.length > 0 ? "true" : undefined,
          autofocus: messages.length > 0 ? true : undefined,
        },
        value ?? values[name] ?? "",
      )}
      <Refusal name={name} messages={messages} />
    </div>
  );
};
