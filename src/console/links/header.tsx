import type { LinkDetails } from "../../resources/links/details";
import { ButtonLink, PostButton } from "../shell/button";
import { here } from "../shell/href";
import { currentPage } from "../shell/request";
import { StateBadges } from "./active-window";
import { CopyButton, Destination } from "./link-text";

const MAX_DESTINATION_CHARACTERS = 300;

/** What one does more rarely with a link. */
const More = ({ details: { link } }: { details: LinkDetails }) => {
  const isArchived = link.status === "archived";
  return (
    <details class="dropdown">
      <summary class="button">More</summary>
      <ul class="card choices-below">
        <li>
          <a href={here.newLink({ from: link.id })}>Duplicate</a>
        </li>
        {!isArchived && (
          <>
            <li>
              <a href={here.newAsset({ link: link.id })}>Create an asset: a poster, flyer or package</a>
            </li>
            <li>
              <a href={here.newAssets({ link: link.id })}>Create several assets</a>
            </li>
          </>
        )}
        <li>
          <PostButton
            to={here.linkStatus(link.id)}
            label={isArchived ? "Restore" : "Archive"}
            kind="plain-button"
            name="status"
            value={isArchived ? "active" : "archived"}
          />
        </li>
        <li>
          <a href="#delete">Delete…</a>
        </li>
      </ul>
    </details>
  );
};

/** The short link, where it leads, its state if that is not ordinary, and what one does with it. */
export const LinkHeader = ({ details, isBroken }: { details: LinkDetails; isBroken: boolean }) => {
  const { link, activeWindow, taken_down_by: takenDownBy } = details;
  const isArchived = link.status === "archived";
  return (
    <section class="card" aria-label="The short link">
      <p class="row">
        <strong class="large short-url" data-by-hand="">
          {link.short_url}
        </strong>
        <StateBadges
          link={link}
          takenDownBy={takenDownBy ?? undefined}
          isBroken={isBroken}
          windowState={activeWindow.windowState === "open" ? undefined : activeWindow.windowState}
        />
      </p>
      <div class="large-actions row">
        <CopyButton text={link.short_url} />
        {!isArchived && <ButtonLink to="#qr" label="QR code" />}
        {currentPage().var.isEditor && (
          <>
            <ButtonLink to={here.editLink(link.id)} label="Edit" isPrimary />
            <More details={details} />
          </>
        )}
      </div>
      <p class="soft">
        leads to <Destination url={link.destination_url} maxCharacters={MAX_DESTINATION_CHARACTERS} />
      </p>
    </section>
  );
};
