import { useContext } from "hono/jsx";
import type { UsedTag } from "../../resources/tags/tag-service";
import { PALETTE, paletteName, Swatch } from "../shell/colour";
import { FormContext, type Values } from "../shell/labelled";
import { Field, TextArea } from "../shell/post-form";

const OTHER = "other";

function swatchOf({ swatch, colour: text }: Values): string {
  if (swatch != null) return String(swatch);
  const colour = String(text ?? "");
  return colour === "" || paletteName(colour) !== undefined ? colour.toLowerCase() : OTHER;
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

const ColourField = () => {
  const chosen = swatchOf(useContext(FormContext).values);
  return (
    <fieldset>
      <legend>Colour</legend>
      <div class="ticks palette">
        <Choice value="" label="None" chosen={chosen} />
        {PALETTE.map(([value, label]) => (
          <Choice value={value} label={label} chosen={chosen} />
        ))}
        <Choice value={OTHER} label="Another" chosen={chosen} />
      </div>
      <Field
        name="colour"
        {...(chosen !== OTHER && { value: "" })}
        label="Another colour"
        hint="Such as #0f766e or teal, if “Another” is chosen."
        type="code"
      />
    </fieldset>
  );
};

export const initialFields = ({ name, slug, colour, description }: UsedTag) => ({
  name,
  slug,
  colour,
  description,
});

export const TagFields = ({ slugHint }: { slugHint: string }) => (
  <>
    <Field name="name" label="Name" required />
    <Field name="slug" label="Slug" hint={`Lowercase letters, digits and hyphens. ${slugHint}`} />
    <ColourField />
    <TextArea name="description" label="Description" rows={2} />
  </>
);
