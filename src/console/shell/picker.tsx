import type { Child } from "hono/jsx";
import { Field, type FieldProperties, type Options, Select, type SelectProperties } from "./form";
import type { Problem } from "./problem";

// Each picker is an ordinary control that the script makes searchable, so a form sends the same with and without it.

/** A shorter list is read faster than it is searched. */
const MIN_SEARCHED_OPTIONS = 12;

/** One of a list. The script replaces a long list by a field that searches it. */
export const Picker = ({ options, ...common }: SelectProperties) => (
  <Select
    {...common}
    options={options}
    attributes={options.length < MIN_SEARCHED_OPTIONS ? {} : { "data-searched": true }}
  />
);

interface PickedOption {
  value: string;
  label: string;
  /** Before the label, such as a colour. */
  mark?: Child;
}

/** A text field for what the list lacks: names with commas between them. */
interface Creates {
  name: string;
  label: string;
  hint: string;
  value: string;
}

/** Several of a list: checkboxes, which the script replaces by a field that searches them and a chip for each choice. */
export const SeveralPicker = ({
  label,
  name,
  options,
  chosen,
  creates,
  problem,
}: {
  label: string;
  name: string;
  options: readonly PickedOption[];
  chosen: readonly string[];
  creates?: Creates | undefined;
  problem?: Problem | undefined;
}) => {
  const messages = Object.entries(problem?.errors ?? {})
    .filter(([field]) => [name, creates?.name].includes(field.split(".")[0]))
    .flatMap(([, ofField]) => ofField);
  const refusal = `${name}-refusal`;
  return (
    <fieldset
      id={name}
      tabindex={-1}
      data-picks={label}
      aria-describedby={messages.length > 0 ? refusal : undefined}
    >
      <legend>
        {label}
        <span class="optional"> (optional)</span>
      </legend>
      <div class="ticks" hidden={options.length === 0}>
        {options.map(({ value, label: text, mark }) => (
          <label class="tick">
            <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />
            {mark}
            <bdi>{text}</bdi>
          </label>
        ))}
      </div>
      {creates && (
        <Field
          label={creates.label}
          name={creates.name}
          value={creates.value}
          hint={creates.hint}
          attributes={{ "data-creates": true }}
        />
      )}
      {messages.length > 0 && (
        <p class="refused" id={refusal}>
          {messages.join(" ")}
        </p>
      )}
    </fieldset>
  );
};

/**
 * A text that the server understands. The script shows what `from` suggests for it: GET with `q`, which answers with
 * `<Suggestions>`. Choosing one puts its value into the field.
 */
export const FindField = ({ from, attributes = {}, ...common }: FieldProperties & { from: string }) => (
  <Field
    {...common}
    attributes={{ "data-suggests": from, spellcheck: "false", autocapitalize: "none", ...attributes }}
  />
);

interface Suggestion {
  value: string;
  label: string;
  /** Below the label. */
  more?: string;
}

export const Suggestions = ({ items }: { items: readonly Suggestion[] }) => (
  <>
    {items.map(({ value, label, more }) => (
      <div data-value={value}>
        <bdi>{label}</bdi>
        {more !== undefined && (
          <span class="small soft block">
            <bdi>{more}</bdi>
          </span>
        )}
      </div>
    ))}
  </>
);

export const toOptions = (items: readonly { id: string; name: string }[]): Options =>
  items.map(({ id, name }) => [id, name] as const);
