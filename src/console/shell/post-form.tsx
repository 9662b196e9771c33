import { type Child, type JSX, useContext } from "hono/jsx";
import { ActionForm, Button } from "./button";
import { type Common, FormContext, Labelled, messagesOf, type Values } from "./labelled";
import { currentPage } from "./page-request";

/** The fields of the form with this action: as they were sent, if it was, else with initial values. */
export const Fields = ({
  action,
  initial = {},
  children,
}: {
  action: string;
  initial?: Values | undefined;
  children?: Child;
}) => {
  const { req, var: page } = currentPage();
  const { form, problem } = req.path === action.split("?")[0] ? page : {};
  return (
    <FormContext.Provider value={{ values: form?.fields ?? initial, initial, lines: form?.lines, problem }}>
      {children}
    </FormContext.Provider>
  );
};

/** A form with its fields. */
export const PostForm = ({
  action,
  initial,
  children,
  ...attributes
}: JSX.IntrinsicElements["form"] & { action: string; initial?: Values }) => (
  <Fields action={action} initial={initial}>
    <ActionForm method="post" action={action} {...attributes}>
      {children}
    </ActionForm>
  </Fields>
);

/** Values that a form sends along. Those that are undefined or null are left out. */
type Sent = Readonly<Record<string, Values[string] | readonly string[]>>;

export const HiddenFields = ({ fields }: { fields: Sent }) => (
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

/** More attributes of a type. An address is no `url` for browsers, since its scheme may be left out. */
const TYPES: Readonly<Record<string, Record<string, unknown>>> = {
  code: { type: "text", spellcheck: "false", autocapitalize: "none" },
  search: { spellcheck: "false", autocapitalize: "none" },
  address: { type: "text", inputmode: "url", spellcheck: "false", autocapitalize: "none" },
  "datetime-local": { step: "any" },
  time: { step: "any" },
};

export type FieldProperties = Common & {
  /** A type of HTML, or "code" or "address" for a text that is no prose. */
  type?: string;
  /** What is offered while the person types. */
  suggested?: readonly string[];
  attributes?: Record<string, unknown>;
};

export const Field = ({ type = "text", suggested, attributes = {}, ...common }: FieldProperties) => (
  <Labelled {...common}>
    {(own, value) => {
      const list = suggested && `${common.name}-used`;
      return (
        <>
          <input
            type={type}
            value={value}
            autocomplete="off"
            {...own}
            {...TYPES[type]}
            list={list}
            {...attributes}
          />
          {suggested && (
            <datalist id={list}>
              {suggested.map((one) => (
                <option value={one} />
              ))}
            </datalist>
          )}
        </>
      );
    }}
  </Labelled>
);

/** A colour as `#rrggbb`, which is typed, or picked where scripts run. */
export const ColourField = (common: Common) => (
  <Labelled {...common}>
    {(own, value) => (
      <div class="colour">
        <input type="text" value={value} autocomplete="off" {...TYPES["code"]} {...own} />
        <input type="color" data-sets={common.name} aria-label="Pick a colour" hidden />
      </div>
    )}
  </Labelled>
);

/** The field for a file, a list or a table if nothing else is said. */
export const FileField = ({
  accept = ".csv,.tsv,.txt,text/csv,text/plain",
  ...common
}: Omit<Common, "name"> & { accept?: string }) => (
  <Labelled name="file" {...common}>
    {(own) => <input type="file" accept={accept} {...own} />}
  </Labelled>
);

/** A checkbox that sends "true". */
export const Tick = ({ label, name, hint }: Common) => {
  const { values, problem } = useContext(FormContext);
  const messages = messagesOf(problem, name);
  return (
    <div class="field">
      <label class="tick">
        <input
          type="checkbox"
          id={name}
          name={name}
          value="true"
          checked={values[name] === "true"}
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

export const TextArea = ({
  rows = 3,
  attributes = {},
  ...common
}: Common & { rows?: number; attributes?: Record<string, unknown> }) => {
  const { lines } = useContext(FormContext);
  return (
    <Labelled {...common}>
      {(own, value) => (
        <textarea rows={rows} dir="auto" {...own} {...attributes}>
          {common.value ?? lines?.(common.name) ?? value}
        </textarea>
      )}
    </Labelled>
  );
};

/** `names` are other names, with commas between them, by which the script finds an option. */
export type Options = readonly (readonly [value: string, label: string, names?: string | undefined])[];

export type SelectProperties = Common & {
  options: Options;
  /** The label of the empty option. Without it there is no empty option. */
  none?: string;
  attributes?: Record<string, unknown>;
};

export const Select = ({ options, none, attributes = {}, ...common }: SelectProperties) => (
  <Labelled {...common}>
    {(own, chosen) => (
      <select {...own} {...attributes}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([value, label, names]) => (
          <option value={value} selected={value === chosen} data-names={names}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);
