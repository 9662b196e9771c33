import { type Convention, type Conventions, describeConventions } from "../../lib/conventions";
import { VALUE_FIELDS } from "../../lib/link-fields";
import { EtagField } from "../shell/edit-form";
import { here } from "../shell/href";
import { PostForm, Select, Submit, TextArea } from "../shell/post-form";
import { Card } from "../shell/text";

type ChoiceLabels<Choice extends string> = Readonly<Record<Choice, string>>;

const STRICTNESS: ChoiceLabels<Convention["strictness"]> = {
  off: "Any value",
  suggest: "Suggest these values",
  only: "Only these values",
};
const LETTERS: ChoiceLabels<Convention["letters"]> = { any: "As they are", lower: "In lower case" };
const SPACES: ChoiceLabels<Convention["space"]> = { keep: "Stay", "-": "Become -", _: "Become _" };

interface ConventionProperties {
  field: keyof Conventions;
  convention: Convention;
  etag: string;
}

export const ConventionForm = ({ field, convention, etag }: ConventionProperties) => {
  const { strictness, letters, space, values } = convention;
  const label = VALUE_FIELDS[field].label.toLowerCase();
  return (
    <Card id="convention" title={`How a ${label} is written`}>
      <PostForm
        action={here.saveConvention({ field })}
        initial={{ strictness, letters, space, listed: values.join("\n") }}
        class="fields narrow"
      >
        <EtagField etag={etag} saved={describeConventions({ [field]: convention })} />
        <Select
          name="strictness"
          label="Allowed"
          options={Object.entries(STRICTNESS)}
          hint="Forms and imported files keep to it. API keys may still send other values, which are marked here."
          required
        />
        <TextArea
          name="listed"
          label="Values, one a line"
          rows={6}
          hint="If empty, every value is allowed, and only the rules for letters and spaces apply."
        />
        <Select name="letters" label="Letters" options={Object.entries(LETTERS)} required />
        <Select name="space" label="Spaces" options={Object.entries(SPACES)} required />
        <Submit label="Save" />
      </PostForm>
    </Card>
  );
};
