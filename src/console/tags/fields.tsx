import { Field, TextArea } from "../shell/form";
import type { Problem } from "../shell/problem";

export type TagValues = Readonly<Partial<Record<"name" | "slug" | "colour" | "description", string | null>>>;

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
    <Field
      label="Colour"
      name="colour"
      value={values.colour}
      problem={problem}
      hint="Such as #0f766e or teal."
      attributes={{ maxlength: 32 }}
    />
    <TextArea label="Description" name="description" value={values.description} problem={problem} rows={2} />
  </>
);
