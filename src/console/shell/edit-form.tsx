import { type Child, useContext } from "hono/jsx";
import type { WorkspaceContext } from "../../context";
import { parseEntityTags } from "../../lib/etag";
import { parseJsonObject } from "../../lib/json";
import { FormContext, type Values } from "./labelled";
import { currentPage, type Form } from "./page-request";
import { Fields, HiddenFields, PostForm, Submit } from "./post-form";

/** The values that an edit form starts with, so that only what was changed is saved. Null and undefined are empty. */
const InitialFields = () => {
  const { values, initial = {} } = useContext(FormContext);
  const texts = Object.entries(initial).map(([name, value]) => [name, String(value ?? "")]);
  return (
    <input type="hidden" name="was" value={values["was"] ?? JSON.stringify(Object.fromEntries(texts))} />
  );
};

/** What something is, as a form that changes it. People who may not change it see the fields disabled. */
export const EditForm = ({
  action,
  initial,
  canEdit = currentPage().var.isEditor,
  children,
}: {
  action: string;
  initial: Values;
  canEdit?: boolean;
  children: Child;
}) =>
  canEdit ? (
    <PostForm action={action} initial={initial} class="fields">
      <InitialFields />
      {children}
      <Submit label="Save changes" />
    </PostForm>
  ) : (
    <Fields action={action} initial={initial}>
      <fieldset class="fields" disabled>
        {children}
      </fieldset>
    </Fields>
  );

/** The entity tag of what a form was filled in with. If that has changed meanwhile, the form that is sent again is about what is stored now. */
export const EtagField = ({ etag, saved }: { etag: string; saved: string }) => {
  const { form, problem } = currentPage().var;
  const isStale = problem?.status === 412;
  return (
    <>
      <HiddenFields fields={{ etag: isStale ? etag : (form?.fields["etag"] ?? etag) }} />
      {isStale && (
        <p class="hint">
          Saved meanwhile: <bdi>{saved}</bdi>
        </p>
      )}
    </>
  );
};

/** The context with the entity tag of a form, if it has one. */
export const withEtag = (ctx: WorkspaceContext, { fields: { etag } }: Form): WorkspaceContext =>
  etag ? { ...ctx, ifMatch: parseEntityTags(etag) } : ctx;

/** The fields that a person changed. The others are left out, so that saving does not undo other people's changes. */
export function changedFields({ was, form: _, ...fields }: Form["fields"]): Record<string, string> {
  const initial = parseJsonObject(was ?? "") ?? {};
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== initial[name]));
}
