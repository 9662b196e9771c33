import { primaryOf } from "../../resources/links/choose-domain";
import type { Preview } from "../../resources/links/preview";
import type { SlugState } from "../../resources/links/slug-state";
import { Button } from "../shell/button";
import { fieldOfError, type Problem, sayOf } from "../shell/error-labels";
import { Field, FormContext, Select } from "../shell/form";
import { here } from "../shell/href";
import { currentPage } from "../shell/request";
import { quoted } from "../shell/text";
import type { Choices } from "./choices";
import { type Draft, serialiseDraft } from "./draft";
import { hintsOf } from "./hints";
import { nameOf } from "./link-text";
import { OptionalFields } from "./optional-fields";
import { PreviewBody } from "./preview";
import { SlugField, type SlugOwner } from "./slug-field";

/** The link that a form edits. */
interface Edited extends SlugOwner {
  id: string;
  etag: string;
  was: Draft;
}

/** What is wrong with the slug, with the link that has it. */
const sayOfSlug = (messages: readonly string[], slug: SlugState): string[] =>
  slug.kind === "taken"
    ? [`The short link is taken by ${quoted(nameOf(slug.link))}.`]
    : messages.map((message) => sayOf("slug", message));

const withSlugErrors = (problem: Problem, slug: SlugState): Problem => {
  const { slug: messages } = problem.errors;
  if (messages === undefined) return problem;
  return { ...problem, errors: { ...problem.errors, slug: sayOfSlug(messages, slug) } };
};

/** Why the form of a link was refused: its errors with a link to the field of each, or the message alone. */
const ErrorSummary = ({ problem }: { problem: Problem }) => {
  const errors = Object.entries(problem.errors);
  return (
    <div class="refusal" role="alert">
      <p>{errors.length === 0 ? problem.message : "Nothing is saved yet:"}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(([error, messages]) => {
            const field = fieldOfError(error);
            const text = messages.join(" ");
            return <li>{field === undefined ? text : <a href={`#${field}`}>{text}</a>}</li>;
          })}
        </ul>
      )}
    </div>
  );
};

/** The form of a link that is to be, or that there is; `link` says which, and what the form was made of. */
export const LinkFields = ({
  action,
  cancel,
  draft,
  choices,
  slug,
  preview,
  link,
}: {
  action: string;
  /** The page that leaving the form leads to. */
  cancel: string;
  draft: Draft;
  choices: Choices;
  slug: SlugState;
  preview: Preview;
  link?: Edited;
}) => {
  const { ctx, problem: refused } = currentPage().var;
  const { shortHost } = ctx.config;
  const problem = refused && withSlugErrors(refused, slug);
  const { tag_ids: _, ...values } = draft;
  return (
    <FormContext.Provider value={{ values, problem }}>
      <div class="columns">
        <form
          class="card fields"
          method="post"
          action={action}
          data-preview={here.linkPreview()}
          data-shows="preview"
        >
          {problem && <ErrorSummary problem={problem} />}
          {link && (
            <>
              <input type="hidden" name="link" value={link.id} />
              <input type="hidden" name="etag" value={link.etag} />
            </>
          )}
          <input type="hidden" name="was" value={serialiseDraft(link?.was ?? draft, draft)} />
          <Field
            name="destination_url"
            label="Destination"
            required
            type="address"
            hint="Where the link leads, such as www.example.com/sale"
            attributes={link === undefined && problem === undefined ? { autofocus: true } : {}}
          />
          {choices.domains.length > 0 && (
            <Select
              name="domain"
              value={draft.domain || primaryOf(choices.domains) || shortHost}
              label="Domain"
              options={[shortHost, ...choices.domains.map(({ host }) => host)].map((host) => [host, host])}
            />
          )}
          <SlugField
            prefix={choices.domains.length === 0 ? `${shortHost}/` : undefined}
            state={slug}
            link={link}
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
        </form>
        <section class="card top-aligned" id="preview" aria-live="polite">
          <PreviewBody preview={preview} hints={hintsOf(preview, draft, choices.conventions, link?.was)} />
        </section>
      </div>
    </FormContext.Provider>
  );
};
