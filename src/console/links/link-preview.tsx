import { storedId } from "../../lib/ulid-text";
import { listAllActivityGroups } from "../../resources/activity-groups/manage-groups";
import { readStoredConventions } from "../../resources/links/link-conventions";
import { getLinkDetails } from "../../resources/links/link-details";
import type { Preview, PreviewedParameter, Reason } from "../../resources/links/preview-change";
import { sayOf } from "../shell/error-labels";
import { renderPart } from "../shell/layout";
import { type PageContext, readForm } from "../shell/page-request";
import { Fact } from "../shell/text";
import { ADDRESS_NOTES_ID, AddressNotes } from "./address-notes";
import { readAbout } from "./choices";
import { draftBefore, draftIn, previewOf, shownState } from "./draft";
import { hintsOf } from "./link-hints";
import { Destination } from "./link-text";
import { SLUG_STATE_ID, SlugStateText } from "./slug-field";

const REASONS: Readonly<Record<Reason, string>> = {
  given: "given for this link",
  group: "the group’s default",
  kept: "from the group",
  destination: "already in the destination",
  none: "",
};

const Parameter = ({
  name,
  value,
  reason,
  replaces,
}: Omit<PreviewedParameter, "name"> & { name: string }) => (
  <Fact name={<code>{name}</code>}>
    {value === null ? (
      <span class="soft">not set</span>
    ) : (
      <>
        <strong>
          <bdi>{value}</bdi>
        </strong>{" "}
        <span class="soft">({REASONS[reason]})</span>
      </>
    )}
    {replaces.length > 0 && (
      <span class="small soft block">
        {replaces.includes(value ?? "") && replaces.length === 1
          ? "The destination has the same: "
          : "Replaces in the destination: "}
        <bdi>{replaces.join(", ")}</bdi>
      </span>
    )}
  </Fact>
);

const MAX_TARGET_CHARACTERS = 1000;

/** Where visitors will land, and the origin of each UTM parameter. */
export const PreviewBody = ({
  preview: { target, isTakenDown, problem, parameters },
  hints = [],
}: {
  preview: Preview;
  hints?: readonly string[];
}) => (
  <>
    <h2>Where visitors will land</h2>
    {isTakenDown && (
      <p class="warning">
        On a page that says that this link was taken down
        {target === null ? "." : ". Once it is no longer stopped, they will land here:"}
      </p>
    )}
    {target !== null && (
      <p class="target">
        <Destination url={target} maxCharacters={MAX_TARGET_CHARACTERS} />
      </p>
    )}
    {problem !== null && <p class="refused">{sayOf(problem)}</p>}
    {target === null && problem === null && <p class="soft">Enter a destination to see it here.</p>}
    <dl class="facts">
      {parameters
        .filter(({ value, replaces }) => value !== null || replaces.length > 0)
        .map((parameter) => (
          <Parameter {...parameter} />
        ))}
    </dl>
    {hints.map((hint) => (
      <p class="hint">{hint}</p>
    ))}
  </>
);

/** The preview for the script, which asks for it while the person types. It moves the state of the slug to its field. */
export async function showPreview(c: PageContext): Promise<Response> {
  const { ctx } = c.var;
  const form = await readForm(c);
  const id = form.fields["link"];
  const draft = draftIn(form);
  const [groups, about, present, conventions] = await Promise.all([
    listAllActivityGroups(ctx),
    readAbout(ctx, draft, id && storedId(id)),
    id === undefined ? undefined : getLinkDetails(ctx, id),
    readStoredConventions(ctx),
  ]);
  const preview = previewOf(draft, draftBefore(form), groups, about.refusal, present);
  return renderPart(
    c,
    <>
      <PreviewBody
        preview={preview}
        hints={hintsOf(preview, draft, conventions, id === undefined ? undefined : draftBefore(form))}
      />
      <div data-into={SLUG_STATE_ID}>
        <SlugStateText state={shownState(draft, about.slugState, present?.link)} proposed={about.proposed} />
      </div>
      <div data-into={ADDRESS_NOTES_ID}>
        <AddressNotes url={draft.destination_url} there={about.there} />
      </div>
    </>,
  );
}
