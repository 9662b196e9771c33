import { here } from "./href";
import { Field, type FieldProperties, type Options, Select, type SelectProperties } from "./post-form";

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

/** A text that names a link. The script shows links that are meant, and puts the chosen one's slug into the field. */
export const FindField = ({ attributes = {}, ...common }: FieldProperties) => (
  <Field type="code" {...common} attributes={{ "data-suggests": here.suggestLinks(), ...attributes }} />
);

/** What `FindField` offers. `more` is below the label. */
export const Suggestions = ({
  items,
}: {
  items: readonly { value: string; label: string; more: string }[];
}) => (
  <>
    {items.map(({ value, label, more }) => (
      <div data-value={value}>
        <bdi>{label}</bdi>
        <span class="small soft block">
          <bdi>{more}</bdi>
        </span>
      </div>
    ))}
  </>
);

export const toOptions = (items: readonly { id: string; name: string }[]): Options =>
  items.map(({ id, name }) => [id, name] as const);
