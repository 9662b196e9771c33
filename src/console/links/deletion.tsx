import type { LinkDetails } from "../../resources/links/details";
import { href } from "../href";
import { Dangerous } from "../shell/form";
import { UserText } from "./link-text";

/** The form that deletes the link, or the live assets that prevent it. */
export const Deletion = ({ workspace, details }: { workspace: string; details: LinkDetails }) => {
  const { link, live_assets: liveAssets, old_slugs: oldSlugs } = details;
  if (liveAssets.length > 0) {
    return (
      <section class="card" id="delete" aria-labelledby="delete-heading">
        <h2 id="delete-heading">Delete the link</h2>
        <p>It cannot be deleted while it is on a live asset, since printed codes would lead nowhere:</p>
        <ul>
          {liveAssets.map(({ id, name }) => (
            <li>
              <a href={href.asset(workspace, id)}>
                <UserText text={name} />
              </a>
            </li>
          ))}
        </ul>
        <p class="soft">Retire {liveAssets.length === 1 ? "it" : "them"} first.</p>
      </section>
    );
  }
  return (
    <section class="card" id="delete" aria-label="Delete the link">
      <Dangerous
        summary="Delete the link"
        action={href.deleteLink(workspace, link.id)}
        button="Delete it for good"
        consequence={
          <>
            <strong>{[link.short_url, ...oldSlugs].join(", ")}</strong> and every code printed with{" "}
            {oldSlugs.length === 0 ? "it" : "them"} lead nowhere from now on. So do the codes of its assets,
            until these are moved to another link. This cannot be undone. The slugs stay this workspace’s own.
            To keep printed codes working, archive the link instead.
          </>
        }
      />
    </section>
  );
};
