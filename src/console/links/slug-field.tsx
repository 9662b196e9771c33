import { hostsOf, primaryOf } from "../../resources/links/choose-domain";
import { type SlugState, suggestSlug } from "../../resources/links/slug-state";
import { here } from "../shell/href";
import { Labelled } from "../shell/labelled";
import { currentPage, type PageContext } from "../shell/page-request";
import { Select } from "../shell/post-form";
import type { Choices } from "./choices";
import { FROM_TITLE } from "./draft";
import { nameOf } from "./link-text";

/** The domain of a link, at first the workspace's primary one. Without domains there is nothing to choose. */
export const DomainField = ({ domains, chosen }: Pick<Choices, "domains"> & { chosen: string }) => {
  const { config } = currentPage().var.ctx;
  const options = hostsOf(config, domains).map((host) => [host, host] as const);
  const value = chosen || primaryOf(domains) || config.shortHost;
  return options.length > 0 && <Select name="domain" label="Domain" value={value} options={options} />;
};

const SAYINGS: Readonly<Record<Exclude<SlugState["kind"], "taken">, string>> = {
  empty: "",
  malformed:
    "Not possible: use letters, digits, hyphens and underscores, first a letter or digit, at most 64.",
  reserved: "Not possible: this service needs it itself.",
  free: "Free.",
  own: "It leads to this link already.",
  released: "Free. A deleted link of this workspace had it: whatever was printed with it will lead here.",
  taken_down: "Not possible: the operator of this service has taken it down.",
  code: "Taken by the code of a poster.",
  foreign: "Taken.",
};

/** Whether the slug in the form is free. It names a link only of the same workspace. */
export const SlugStateText = ({ state, proposed }: { state: SlugState; proposed?: string | undefined }) => {
  if (proposed !== undefined)
    return (
      <button type="submit" class="quiet" name="preview" value={FROM_TITLE} formnovalidate>
        Take “{proposed}” from the title
      </button>
    );
  if (state.kind !== "taken") return <span>{SAYINGS[state.kind]}</span>;
  return (
    <span>
      Taken by{" "}
      <a href={here.link(state.link.id)} target="_blank" rel="noopener">
        <bdi>{nameOf(state.link)}</bdi>
        <span class="unseen"> (in a new tab)</span>
      </a>
      .
    </span>
  );
};

export const SLUG_STATE_ID = "slug-state";

const slugHint = (isNew: boolean, isKept: boolean): string => {
  if (isNew) return "If empty, one is generated.";
  return isKept
    ? "The operator of this service has taken this link down, so it cannot get another slug."
    : "After a change the old slug goes on working.";
};

export const SlugField = ({
  prefix,
  state,
  proposed,
  isNew,
  isKept,
}: {
  /** What stands before the slug in the short URL; undefined if a field of its own says that. */
  prefix: string | undefined;
  state: SlugState;
  proposed: string | undefined;
  /** Whether it is the field of a new link. */
  isNew: boolean;
  /** Whether the operator has taken the link down, so that it cannot get another slug. */
  isKept: boolean;
}) => (
  <Labelled name="slug" label="Short link" required={!isNew} hint={slugHint(isNew, isKept)}>
    {({ "aria-describedby": describedBy, ...attributes }, value) => (
      <>
        <div class="prefixed">
          {prefix !== undefined && (
            <span class="soft" id="slug-prefix">
              {prefix}
            </span>
          )}
          <input
            type="text"
            {...attributes}
            value={value}
            autocomplete="off"
            spellcheck={false}
            autocapitalize="none"
            readonly={isKept}
            aria-describedby={`${prefix === undefined ? "" : "slug-prefix "}${describedBy ?? ""} ${SLUG_STATE_ID}`}
          />
          {!isKept && (
            <button type="button" hidden data-fills="slug" data-from={here.newSlug()}>
              Generate
            </button>
          )}
        </div>
        <p class="small soft" id={SLUG_STATE_ID} role="status">
          <SlugStateText state={state} proposed={proposed} />
        </p>
      </>
    )}
  </Labelled>
);

/** A free slug for the script. Without it, a slug is made for a field that is left empty. */
export const sendNewSlug = async (c: PageContext): Promise<Response> =>
  c.text(await suggestSlug(c.var.ctx, c.req.query("domain") ?? ""));
