import { Field, type FieldProperties, type Options, Select, type SelectProperties } from "./form";

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
