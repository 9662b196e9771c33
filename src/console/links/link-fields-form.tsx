import type { LinkDetails } from "../../resources/links/link-details";
import type { SlugState } from "../../resources/links/slug-state";
import { ActionForm, Button } from "../shell/button";
import { asShortLink, fieldOfError, type Problem } from "../shell/error-labels";
import { here } from "../shell/href";
import { FormContext, messagesOf } from "../shell/labelled";
import { currentPage } from "../shell/page-request";
import { Field, HiddenFields } from "../shell/post-form";
import { quoted } from "../shell/text";
import { ADDRESS_NOTES_ID, AddressNotes } from "./address-notes";
import type { Choices } from "./choices";
import { type Draft, previewOf, shownState } from "./draft";
import { hintsOf } from "./link-hints";
import { PreviewBody } from "./link-preview";
import { nameOf } from "./link-text";
import { OptionalFields } from "./optional-fields";
import { DomainField, SlugField } from "./slug-field";

/** The link that a form edits, and what the form was made of. */
interface Edited {
  details: LinkDetails;
  was: Draft;
  etag: string;
}

/** The problem with the slug as a short link, and the link that has it. */
const withShortLink = (problem: Problem, state: SlugState): Problem => ({
  ...problem,
  failures: problem.failures.map((failure) =>
    failure.field === "slug" && state.kind === "taken"
      ? {
          field: "slug",
          code: "taken",
          message: `The short link is taken by ${quoted(nameOf(state.link))}.`,
        }
      : asShortLink(failure),
  ),
});

/** Why the form of a link was refused: its errors with a link to the field of each, or the message alone. */
const ErrorSummary = ({ problem }: { problem: Problem }) => {
  const fields = [...new Set(problem.failures.map(({ field }) => field))];
  return (
    <div class="refusal" role="alert">
      <p>{fields.length === 0 ? problem.message : "Nothing is saved yet:"}</p>
      {fields.length > 0 && (
        <ul>
          {fields.map((failing) => {
            const field = fieldOfError(failing);
            const text = messagesOf(problem, failing).join(" ");
            return <li>{field === undefined ? text : <a href={`#${field}`}>{text}</a>}</li>;
          })}
        </ul>
      )}
    </div>
  );
};

/** The form of a link that is to be, or of one that is edited. */
export const LinkFields = ({
  action,
  cancel,
  draft,
  choices,
  edited,
}: {
  action: string;
  /** The page that leaving the form leads to. */
  cancel: string;
  draft: Draft;
  choices: Choices;
  edited?: Edited;
}) => {
  const { ctx, problem: refused } = currentPage().var;
  const { domains, groups, conventions, refusal, there, slugState, proposed } = choices;
  const { details, was } = edited ?? {};
  const link = details?.link;
  const slug = shownState(draft, slugState, link);
  const preview = previewOf(draft, was, groups, refusal, details);
  const problem = refused && withShortLink(refused, slug);
  const values = { ...draft, tag_ids: draft.tag_ids.join() };
  return (
    <FormContext.Provider value={{ values, problem }}>
      <div class="columns">
        <ActionForm
          class="card fields"
          method="post"
          action={action}
          data-preview={here.linkPreview()}
          data-shows="preview"
        >
          {problem && <ErrorSummary problem={problem} />}
          <HiddenFields fields={{ link: link?.id, etag: edited?.etag, was: JSON.stringify(was ?? draft) }} />
          <Field
            name="destination_url"
            label="Destination"
            required
            type="address"
            hint="Such as www.example.com/sale"
            attributes={link === undefined && problem === undefined ? { autofocus: true } : {}}
          />
          <div id={ADDRESS_NOTES_ID} role="status">
            <AddressNotes url={draft.destination_url} there={there} />
          </div>
          <DomainField domains={domains} chosen={draft.domain} />
          <SlugField
            prefix={domains.length === 0 ? `${ctx.config.shortHost}/` : undefined}
            state={slug}
            proposed={proposed}
            isNew={edited === undefined}
            isKept={details?.taken_down_by === "operator"}
          />
          <OptionalFields draft={draft} choices={choices} />
          <p class="row">
            <Button label={link ? "Save" : "Create the link"} kind="primary" />
            {link === undefined && <Button label="Save and add another" name="another" value="1" />}
            <button type="submit" name="preview" value="1" formnovalidate>
              Preview
            </button>
            <a href={cancel}>Cancel</a>
          </p>
        </ActionForm>
        <section class="card top-aligned" id="preview" aria-live="polite">
          <PreviewBody preview={preview} hints={hintsOf(preview, draft, conventions, was)} />
        </section>
      </div>
    </FormContext.Provider>
  );
};
