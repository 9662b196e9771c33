import { type Conventions, LETTERS, SPACES, STRICTNESS } from "../../lib/conventions";
import { VALUE_FIELDS } from "../../lib/link-fields";
import { type Options, PostForm, Select, Submit, TextArea } from "../shell/form";
import { here } from "../shell/href";
import { Card } from "../shell/text";

const STRICTNESS_OPTIONS: Options = STRICTNESS.map((one) => [
  one,
  { off: "Any value", suggest: "Suggest these values", only: "Only these values" }[one],
]);
const LETTER_OPTIONS: Options = LETTERS.map((one) => [
  one,
  { any: "As they are", lower: "In lower case" }[one],
]);
const SPACE_OPTIONS: Options = SPACES.map((one) => [
  one,
  { keep: "Stay", "-": "Become -", _: "Become _" }[one],
]);

/** How a field is written, for owners to change. */
export const ConventionForm = ({
  field,
  conventions,
}: {
  field: keyof Conventions;
  conventions: Conventions;
}) => {
  const { strictness, letters, space, values } = conventions[field];
  const label = VALUE_FIELDS[field].label.toLowerCase();
  return (
    <Card id="convention" title={`How a ${label} is written`}>
      <PostForm
        action={here.saveConvention({ field })}
        initial={{ strictness, letters, space, listed: values.join("\n") }}
        class="fields narrow"
      >
        <Select
          name="strictness"
          label="Allowed"
          options={STRICTNESS_OPTIONS}
          hint="Forms and imported files keep to it. API keys may still send other values, which are marked here."
          required
        />
        <TextArea
          name="listed"
          label="Values, one a line"
          rows={6}
          hint="If it is empty, every value is allowed, and only letters and spaces are kept to."
        />
        <Select name="letters" label="Letters" options={LETTER_OPTIONS} required />
        <Select name="space" label="Spaces" options={SPACE_OPTIONS} required />
        <Submit label="Save" />
      </PostForm>
    </Card>
  );
};
