import type { DestinationHealth } from "../../health/service";
import type { LinkDetails } from "../../links/details";
import { HealthState } from "../health/state";
import { href } from "../href";
import { Badge, Time } from "../shell/text";
import { LifeFacts, PhaseBadge } from "./life";
import { CopyButton, Destination, UserText } from "./link-text";
import { OldSlugs } from "./old-slugs";
import { TagBadges } from "./tag-badges";

export const LinkFacts = ({
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
  const { link, old_slugs: oldSlugs, stopped_by: stoppedBy } = details;
  return (
    <section class="card" aria-label="About the link">
      <p class="row">
        <strong class="short-url" data-by-hand="">
          {link.short_url}
        </strong>
        <CopyButton text={link.short_url} />
        <Badge of={link.status} />
        <PhaseBadge phase={details.life.phase} />
      </p>
      <dl class="facts">
        <dt>Destination</dt>
        <dd>
          <Destination url={link.destination_url} />
          {health && (
            <span class="small soft block">
              <HealthState health={health} />
            </span>
          )}
        </dd>
        {link.title !== null && (
          <>
            <dt>Title</dt>
            <dd>
              <UserText text={link.title} />
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
        <LifeFacts details={details} />
        {oldSlugs.length > 0 && (
          <>
            <dt>Old slugs</dt>
            <dd>
              <OldSlugs
                slugs={oldSlugs}
                action={isOwner && stoppedBy !== "operator" ? href.dropSlug(workspace, link.id) : undefined}
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
      <p class="row">
        <a href={href.audit(workspace, { subject: link.id })}>Who changed what</a>
      </p>
    </section>
  );
};
