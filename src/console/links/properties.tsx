import type { DestinationHealth } from "../../resources/destinations/health";
import type { LinkDetails } from "../../resources/links/details";
import { HealthState } from "../health/state";
import { href } from "../href";
import { Time } from "../shell/text";
import { WindowProperties } from "./active-window";
import { UserText } from "./link-text";
import { OldSlugs } from "./old-slugs";
import { TagBadges } from "./tag-badges";

export const LinkProperties = ({
  workspace,
  details,
  health,
  isOwner,
}: {
  workspace: string;
  details: LinkDetails;
  /** Undefined while destinations are not asked. */
  health: DestinationHealth | undefined;
  /** Owners may drop old slugs. */
  isOwner: boolean;
}) => {
  const { link, old_slugs: oldSlugs, taken_down_by: takenDownBy } = details;
  return (
    <section class="card" aria-label="About the link">
      <dl class="facts">
        {health && (
          <>
            <dt>Destination</dt>
            <dd>
              <HealthState health={health} />
            </dd>
          </>
        )}
        <dt>Activity Group</dt>
        <dd>
          {link.activity_group === undefined ? (
            <span class="soft">None</span>
          ) : (
            <a href={href.group(workspace, link.activity_group.id)}>
              <UserText text={link.activity_group.name} />
            </a>
          )}
        </dd>
        <dt>Channel</dt>
        <dd>{link.channel === null ? <span class="soft">None</span> : <UserText text={link.channel} />}</dd>
        <dt>Tags</dt>
        <dd>
          <TagBadges workspace={workspace} tags={link.tags} />
        </dd>
        {link.external_id !== null && (
          <>
            <dt>External ID</dt>
            <dd>
              <UserText text={link.external_id} />
            </dd>
          </>
        )}
        <WindowProperties details={details} />
        {oldSlugs.length > 0 && (
          <>
            <dt>Old slugs</dt>
            <dd>
              <OldSlugs
                slugs={oldSlugs}
                action={isOwner && takenDownBy !== "operator" ? href.dropSlug(workspace, link.id) : undefined}
              />
              <span class="small soft block">They go on leading here, and nobody else can have them.</span>
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Time at={link.created_at} exact />
        </dd>
        <dt>Changed</dt>
        <dd>
          <Time at={link.updated_at} exact />
        </dd>
      </dl>
    </section>
  );
};
