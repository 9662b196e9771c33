import { ASSET_KINDS } from "../../resources/engagement/schema";
import { Field, type OwnField, Select } from "../shell/form";
import { here } from "../shell/href";
import { FindField } from "../shell/picker";
import { words } from "../shell/text";

export const LinkField = ({ own }: { own: OwnField }) => (
  <FindField
    {...own("link")}
    from={here.suggestLinks()}
    label="Link"
    hint="Its slug, short link or ID. It can be changed later without printing again."
    required
  />
);

export const KindSelect = ({ own }: { own: OwnField }) => (
  <Select {...own("kind")} label="Kind" options={ASSET_KINDS.map((kind) => [kind, words(kind)])} required />
);

export const AssetFields = ({ own }: { own: OwnField }) => (
  <>
    <Field {...own("name")} label="Name" required />
    <KindSelect own={own} />
    <Field {...own("place")} label="Place" hint="Where it hangs, lies or is handed out." />
    <Field
      {...own("quantity")}
      label="Quantity"
      hint="How many of it there are."
      attributes={{ inputmode: "numeric" }}
    />
  </>
);
