import { ASSET_KINDS } from "../../resources/engagement/schema";
import { href } from "../href";
import { Field, Select } from "../shell/form";
import type { Crumb } from "../shell/layout";
import { FindField } from "../shell/picker";
import type { Problem } from "../shell/problem";
import { words } from "../shell/text";

export type AssetValues = Readonly<
  Partial<Record<"name" | "kind" | "place" | "quantity", string | number | null>>
>;

export const ASSETS_TITLE = "Offline Engagement";

/** The list of assets, above each of their pages. */
export const assetCrumbs = (workspace: string): Crumb[] => [
  { label: ASSETS_TITLE, href: href.assets(workspace) },
];

export const LinkField = ({
  workspace,
  value,
  problem,
}: {
  workspace: string;
  value: string | undefined;
  problem: Problem | undefined;
}) => (
  <FindField
    from={href.suggestLinks(workspace)}
    label="Link"
    name="link"
    value={value}
    problem={problem}
    hint="Its slug, short link or ID. It can be changed later without printing again."
    required
  />
);

export const KindSelect = ({
  value,
  problem,
}: {
  value: AssetValues["kind"] | undefined;
  problem: Problem | undefined;
}) => (
  <Select
    label="Kind"
    name="kind"
    value={value}
    options={ASSET_KINDS.map((kind) => [kind, words(kind)])}
    problem={problem}
    required
  />
);

export const AssetFields = ({ values, problem }: { values: AssetValues; problem: Problem | undefined }) => (
  <>
    <Field label="Name" name="name" value={values.name} problem={problem} required />
    <KindSelect value={values.kind} problem={problem} />
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
