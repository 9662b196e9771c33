import { ASSET_KINDS } from "../../resources/engagement/schema";
import { Field, Select } from "../shell/form";
import { here } from "../shell/href";
import { FindField } from "../shell/picker";
import { words } from "../shell/text";

export const LinkField = () => (
  <FindField
    name="link"
    from={here.suggestLinks()}
    label="Link"
    hint="Its slug, short link or ID. It can be changed later without printing again."
    required
  />
);

export const KindSelect = () => (
  <Select name="kind" label="Kind" options={ASSET_KINDS.map((kind) => [kind, words(kind)])} required />
);

export const AssetFields = () => (
  <>
    <Field name="name" label="Name" required />
    <KindSelect />
    <Field name="place" label="Place" hint="Where it hangs, lies or is handed out." />
    <Field
      name="quantity"
      label="Quantity"
      hint="How many of it there are."
      attributes={{ inputmode: "numeric" }}
    />
  </>
);
