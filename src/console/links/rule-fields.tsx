import type { Child } from "hono/jsx";
import { DEVICES } from "../../lib/visitor";
import { MAX_RULES } from "../../lib/visitor-rules";
import { ActionForm, Button } from "../shell/button";
import { nameOfCode, sortWords } from "../shell/code-names";
import { type Problem, sayOf } from "../shell/error-labels";
import { FormContext, messagesOf } from "../shell/labelled";
import { currentPage } from "../shell/page-request";
import { Field, Select } from "../shell/post-form";
import { Card } from "../shell/text";
import { DEVICE_NAMES, devicesIn, failuresOfWords, type RuleDraft, USUAL_RULES } from "./rule-form";
import { NAMES_LIST, RULES_FORM } from "./rule-landing";

// A rule is a sentence that is built by choosing. Every button sends the form, which comes back changed and not saved.

/** A button that changes the form. Nothing has to be complete for it. */
const Act = ({ act, ...button }: { act: string } & Parameters<typeof Button>[0]) => (
  <Button name="act" value={act} formnovalidate {...button} />
);

interface Value {
  name: string;
  value: string;
  label: string;
}

/** One of several values that a visitor may have. A button removes it. */
const Chip = ({ index, name, value, label }: Value & { index: number }) => (
  <li>
    <input type="hidden" name={`rules.${index}.${name}`} value={value} />
    {label}
    <Act
      act={`drop.${index}.${name}.${value}`}
      label="×"
      description={`Remove “${label}” of rule ${index + 1}`}
    />
  </li>
);

const chipsOf = <T extends string>(
  name: string,
  first: string,
  values: readonly T[],
  label: (value: T) => string,
): Value[] =>
  values.map((value, place) => ({ name, value, label: `${place === 0 ? first : "or"} ${label(value)}` }));

/** The conditions that can be added, in the words of the sentence. */
const CONDITIONS = [
  ["countries", "from a country"],
  ["devices", "on a device"],
  ["languages", "who read a language"],
  ["starts_at", "from a time"],
  ["ends_at", "until a time"],
  ["share", "a share of them"],
] as const;

type Condition = (typeof CONDITIONS)[number][0];

interface RuleProperties {
  draft: RuleDraft;
  index: number;
  count: number;
  /** The last action: what it opened or moved has the focus. */
  act: string;
}

const RuleFields = ({ draft, index, count, act }: RuleProperties) => {
  const { problem } = currentPage().var;
  const unconditional = (problem?.failures ?? [])
    .filter(({ field }) => field === `rules.${index}`)
    .map(sayOf);
  const countries = sortWords("region", draft.countries);
  const languages = sortWords("language", draft.languages);
  const devices = devicesIn(draft.devices);
  const chips = [
    ...chipsOf("countries", "from", countries.codes, (code) => nameOfCode("region", code)),
    ...chipsOf("devices", "on", devices, (device) => DEVICE_NAMES[device]),
    ...chipsOf("languages", "who read", languages.codes, (code) => nameOfCode("language", code)),
  ];
  const others = DEVICES.filter((device) => !devices.includes(device));
  const isNew = act.startsWith("add.") && index === count - 1;
  const focused = isNew ? draft.open[0] : act.startsWith(`open.${index}.`) ? act.split(".")[2] : undefined;
  const at = (name: string, value: string, attributes: object = {}) => ({
    name: `rules.${index}.${name}`,
    value,
    attributes: { ...attributes, ...(name === focused && { autofocus: true }) },
  });
  const isOpen = (name: Condition, text: string) =>
    text !== "" || draft.open.includes(name) || messagesOf(problem, `rules.${index}.${name}`).length > 0;
  const opened: Record<Condition, Child> = {
    countries: isOpen("countries", countries.unknown) && (
      <Field {...at("countries", countries.unknown, { list: NAMES_LIST.region })} label="from the country" />
    ),
    devices: isOpen("devices", "") && (
      <Select
        {...at("devices", "")}
        label="on"
        none="Choose a device"
        options={others.map((device) => [device, DEVICE_NAMES[device]])}
      />
    ),
    languages: isOpen("languages", languages.unknown) && (
      <Field {...at("languages", languages.unknown, { list: NAMES_LIST.language })} label="who read" />
    ),
    starts_at: isOpen("starts_at", draft.starts_at) && (
      <Field {...at("starts_at", draft.starts_at)} label="from" type="datetime-local" />
    ),
    ends_at: isOpen("ends_at", draft.ends_at) && (
      <Field {...at("ends_at", draft.ends_at)} label="until" type="datetime-local" />
    ),
    share: isOpen("share", draft.share) && (
      <Field
        {...at("share", draft.share, { min: 1, max: 99 })}
        label="but only this many of 100"
        type="number"
      />
    ),
  };
  const number = index + 1;
  return (
    <fieldset class="rule" data-moves="">
      <legend>Rule {number}</legend>
      <div class="fields">
        {unconditional.length > 0 && <p class="refused">{unconditional.join(" ")}</p>}
        <div class="row">
          <span>Visitors</span>
          <ul class="chips">
            {chips.map((chip) => (
              <Chip index={index} {...chip} />
            ))}
          </ul>
          <details open={chips.length === 0 && Object.values(opened).every((field) => field === false)}>
            <summary class="button">Add a condition</summary>
            <div class="row">
              {CONDITIONS.filter(
                ([name]) => opened[name] === false && (name !== "devices" || others.length > 0),
              ).map(([name, label]) => (
                <Act act={`open.${index}.${name}`} label={label} description={`${label}, rule ${number}`} />
              ))}
            </div>
          </details>
        </div>
        {Object.values(opened)}
        <Field {...at("destination_url", draft.destination_url)} label="land on" type="address" required />
        <div class="row">
          {index > 0 && (
            <Act
              act={`up.${index}`}
              label="Move up"
              kind="quiet"
              description={`Move up, rule ${number}`}
              autofocus={act === `up.${number}`}
            />
          )}
          {number < count && (
            <Act
              act={`up.${number}`}
              label="Move down"
              kind="quiet"
              description={`Move down, rule ${number}`}
            />
          )}
          <Act act={`remove.${index}`} label="Remove" kind="quiet" description={`Remove, rule ${number}`} />
        </div>
      </div>
    </fieldset>
  );
};

/** An unknown word is named at once, before the rules are saved. */
const unknownIn = (drafts: readonly RuleDraft[]): Problem => ({
  status: 422,
  message: "",
  failures: failuresOfWords(drafts),
});

/** The form of all rules, as it was sent and then changed by its last action. */
export const RulesForm = ({
  action,
  etag,
  drafts,
  act,
  isFirst,
}: {
  action: string;
  etag: string;
  drafts: readonly RuleDraft[];
  act: string;
  /** Whether the link has no rules yet. */
  isFirst: boolean;
}) => (
  <Card id="edit" title={drafts.length === 0 ? "Add a rule" : "Change the rules"}>
    <FormContext.Provider value={{ values: {}, problem: currentPage().var.problem ?? unknownIn(drafts) }}>
      <ActionForm method="post" action={action} id={RULES_FORM} class="fields">
        <input type="hidden" name="etag" value={etag} />
        {/* The key Enter presses the first button of a form. */}
        <Act act="take" label="Add what is typed" class="unseen" tabindex={-1} />
        <p class="hint">Each visitor follows the first rule that fits.</p>
        {drafts.map((draft, index) => (
          <RuleFields draft={draft} index={index} count={drafts.length} act={act} />
        ))}
        {drafts.length < MAX_RULES && (
          <div class="row">
            {drafts.length > 0 && <span>Add a rule:</span>}
            {USUAL_RULES.map(([kind, label]) => (
              <Act act={`add.${kind}`} label={label} />
            ))}
          </div>
        )}
        {(drafts.length > 0 || !isFirst) && (
          <div class="row">
            <Button label="Save" kind="primary" />
            {act !== "" && <span class="soft">Not saved yet.</span>}
          </div>
        )}
        {drafts.some(({ share }) => share !== "") && (
          <p class="hint">
            A share is of the visitors whom no rule above takes. After a rule for 50 of 100, another for 50 of
            100 takes 25 of all 100.
          </p>
        )}
      </ActionForm>
    </FormContext.Provider>
  </Card>
);
