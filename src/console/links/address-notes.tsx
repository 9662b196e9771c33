import { damageOf } from "../../lib/damaged-address";
import { isoTime } from "../../lib/time";
import type { LinkThere } from "../../resources/links/link-statements";
import { here } from "../shell/href";
import { Time } from "../shell/text";
import { MEND } from "./draft";

export const ADDRESS_NOTES_ID = "address-notes";

/** The link that leads to a destination already. */
export const There = ({ there: { id, slug, created_at } }: { there: LinkThere }) => (
  <>
    <a href={here.link(id)} target="_blank" rel="noopener">
      <bdi>/{slug}</bdi>
      <span class="unseen"> (in a new tab)</span>
    </a>{" "}
    leads there since <Time at={isoTime(created_at)} />
  </>
);

/** What a notice adds for a destination that was saved as it is: without scripts nothing has said it before. */
export function saysDamage(url: string | undefined): string {
  const damage = damageOf(url ?? "");
  return damage === undefined
    ? ""
    : ` The destination looks damaged. ${damage.says.join(" ")} “Edit” offers to mend it.`;
}

/** What looks damaged in the destination, with a button that mends it, and a link that leads there already. */
export const AddressNotes = ({ url, there }: { url: string; there?: LinkThere | undefined }) => {
  const damage = damageOf(url);
  return (
    <>
      {damage && (
        <div class="warning">
          <p>{damage.says.join(" ")}</p>
          <p>
            <button type="submit" name="preview" value={MEND} formnovalidate>
              Mend it
            </button>{" "}
            <bdi class="small">{damage.mended}</bdi>
          </p>
        </div>
      )}
      {there && (
        <p class="hint">
          <There there={there} />: use it?
        </p>
      )}
    </>
  );
};
