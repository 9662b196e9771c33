import { ASSET_KINDS } from "../../engagement/schema";
import { Field, Select } from "../shell/form";
import type { Problem } from "../shell/problem";
import { words } from "../shell/text";

export type AssetValues = Readonly<
  Partial<Record<"name" | "kind" | "place" | "quantity", string | number | null>>
>;

export const AssetFields = ({ values, problem }: { values: AssetValues; problem: Problem | undefined }) => (
  <>
    <Field label="Name" name="name" value={values.name} problem={problem} required />
    <Select
      label="Kind"
      name="kind"
      value={values.kind}
      options={ASSET_KINDS.map((kind) => [kind, words(kind)])}
      problem={problem}
      required
    />
    <Field
      label="Place"
      name="place"
      value={values.place}
      problem={problem}
      hint="Where it hangs, lies or is handed out."
    />
    <Field
      label="Quantity"
      name="quantity"
      value={values.quantity}
      problem={problem}
      hint="How many of it there are."
      attributes={{ inputmode: "numeric" }}
    />
  </>
);
