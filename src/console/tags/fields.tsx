import { PALETTE, paletteName } from "../shell/colour";
import { Field, TextArea } from "../shell/form";
import type { Problem } from "../shell/problem";
import { Swatch } from "../shell/swatch";

export type TagValues = Readonly<
  Partial<Record<"name" | "slug" | "colour" | "swatch" | "description", string | null>>
>;

/** The choice of a colour that is not in the palette. */
const OTHER = "other";

/** The choice that a form shows for a colour. */
function swatchOf({ swatch, colour }: TagValues): string {
  if (swatch != null) return swatch;
  if (colour == null || colour === "") return "";
  return paletteName(colour) === undefined ? OTHER : colour.toLowerCase();
}

/** The colour of a form: one of the palette, none, or the text beside "Another". A form without the palette has the text. */
export function withColour({ swatch, ...fields }: Readonly<Record<string, string>>): Record<string, string> {
  return swatch === undefined || swatch === OTHER ? fields : { ...fields, colour: swatch };
}

const Choice = ({ value, label, chosen }: { value: string; label: string; chosen: string }) => (
  <label class="tick">
    <input type="radio" name="swatch" value={value} checked={value === chosen} autocomplete="off" />
    {value !== OTHER && <Swatch colour={value} />}
    {label}
  </label>
);

const ColourField = ({ values, problem }: { values: TagValues; problem: Problem | undefined }) => {
  const chosen = swatchOf(values);
  return (
    <fieldset>
      <legend>
        Colour<span class="optional"> (optional)</span>
      </legend>
      <div class="ticks palette">
        <Choice value="" label="None" chosen={chosen} />
        {PALETTE.map(([value, label]) => (
          <Choice value={value} label={label} chosen={chosen} />
        ))}
        <Choice value={OTHER} label="Another" chosen={chosen} />
      </div>
      <Field
        label="Another colour"
        name="colour"
        value={chosen === OTHER ? values.colour : ""}
        problem={problem}
        hint="Such as #0f766e or teal. It counts if “Another” is chosen."
        attributes={{ autocapitalize: "none", spellcheck: "false" }}
      />
    </fieldset>
  );
};

export const TagFields = ({
  values,
  problem,
  slugHint,
}: {
  values: TagValues;
  problem: Problem | undefined;
  slugHint: string;
}) => (
  <>
    <Field label="Name" name="name" value={values.name} problem={problem} required />
    <Field
      label="Slug"
      name="slug"
      value={values.slug}
      problem={problem}
      hint={`Lowercase letters, digits and hyphens. ${slugHint}`}
    />
    <ColourField values={values} problem={problem} />
    <TextArea label="Description" name="description" value={values.description} problem={problem} rows={2} />
  </>
);
