import type { DestinationHealth } from "../../resources/destinations/health";
import type { LinkDetails } from "../../resources/links/details";
import { HealthState } from "../health/state";
import { Dangerous } from "../shell/form";
import { here } from "../shell/href";
import { Fact, NameLink, Time } from "../shell/text";
import { WindowProperties } from "./active-window";
import { TagBadges } from "./tag-badges";

/** With `action`, each slug has a form that drops it. */
const OldSlugs = ({ slugs, action }: { slugs: readonly string[]; action: string | undefined }) =>
  action === undefined ? (
    <>{slugs.join(", ")} </>
  ) : (
    <ul>
      {slugs.map((slug) => (
        <li>
          {slug}
          <Dangerous
            summary={`Drop ${slug}`}
            action={action}
            button="Drop it for good"
            consequence={
              <>
                <strong>{slug}</strong> and every code printed with it lead nowhere from now on. The slug
                stays this workspace’s own, so that a link can use it again.
              </>
            }
          >
            <input type="hidden" name="slug" value={slug} />
          </Dangerous>
        </li>
      ))}
    </ul>
  );

export const LinkProperties = ({
  details,
  health,
  isOwner,
}: {
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
          <Fact name="Destination">
            <HealthState health={health} />
          </Fact>
        )}
        <Fact name="Activity Group">
          {link.activity_group === undefined ? (
            <span class="soft">None</span>
          ) : (
            <NameLink to={here.group(link.activity_group.id)} name={link.activity_group.name} />
          )}
        </Fact>
        <Fact name="Channel">
          {link.channel === null ? <span class="soft">None</span> : <bdi>{link.channel}</bdi>}
        </Fact>
        <Fact name="Tags">
          <TagBadges tags={link.tags} />
        </Fact>
        {link.external_id !== null && (
          <Fact name="External ID">
            <bdi>{link.external_id}</bdi>
          </Fact>
        )}
        <WindowProperties details={details} />
        {oldSlugs.length > 0 && (
          <Fact name="Old slugs">
            <OldSlugs
              slugs={oldSlugs}
              action={isOwner && takenDownBy !== "operator" ? here.dropSlug(link.id) : undefined}
            />
            <span class="small soft block">They go on leading here, and nobody else can have them.</span>
          </Fact>
        )}
        <Fact name="Created">
          <Time at={link.created_at} exact />
        </Fact>
        <Fact name="Changed">
          <Time at={link.updated_at} exact />
        </Fact>
      </dl>
    </section>
  );
};
