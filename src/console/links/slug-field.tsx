import { type SlugState, suggestSlug } from "../../resources/links/slug-state";
import { Labelled } from "../shell/form";
import { here } from "../shell/href";
import type { PageContext } from "../shell/request";
import { nameOf } from "./link-text";

const SAYINGS: Readonly<Record<Exclude<SlugState["kind"], "taken">, string>> = {
  empty: "",
  malformed:
    "Not possible: use letters, digits, hyphens and underscores, first a letter or digit, at most 64.",
  reserved: "Not possible: this service needs it itself.",
  free: "Free.",
  own: "It leads to this link already.",
  released: "Free. A deleted link of this workspace had it: whatever was printed with it will lead here.",
  taken_down: "Not possible: the operator of this service has taken it down.",
  code: "Taken by the code of an asset.",
  foreign: "Taken.",
};

/** Whether the slug in the form is free. It names a link only of the same workspace. */
export const SlugStateText = ({ state }: { state: SlugState }) => {
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

export interface SlugOwner {
  /** Whether the operator has taken it down, so that it cannot get another slug. */
  keepsSlug: boolean;
}

const slugHint = (link: SlugOwner | undefined): string => {
  if (link === undefined) return "Left empty, one is made.";
  return link.keepsSlug
    ? "The operator of this service has taken this link down, so it cannot get another slug."
    : "After a change the old slug goes on working.";
};

export const SlugField = ({
  prefix,
  state,
  link,
}: {
  /** What stands before the slug in the short URL; undefined if a field of its own says that. */
  prefix: string | undefined;
  state: SlugState;
  /** The link that has it; undefined for a new one. */
  link: SlugOwner | undefined;
}) => (
  <Labelled name="slug" label="Short link" required={link !== undefined} hint={slugHint(link)}>
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
            readonly={link?.keepsSlug === true}
            aria-describedby={`${prefix === undefined ? "" : "slug-prefix "}${describedBy ?? ""} ${SLUG_STATE_ID}`}
          />
          {link?.keepsSlug !== true && (
            <button type="button" hidden data-fills="slug" data-from={here.newSlug()}>
              Generate
            </button>
          )}
        </div>
        <p class="small soft" id={SLUG_STATE_ID} role="status">
          <SlugStateText state={state} />
        </p>
      </>
    )}
  </Labelled>
);

/** A free slug for the script. Without it, a slug is made for a field that is left empty. */
export const sendNewSlug = async (c: PageContext): Promise<Response> =>
  c.text(await suggestSlug(c.var.ctx, c.req.query("domain") ?? ""));
