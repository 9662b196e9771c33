import type { LinkDetails } from "../../resources/links/details";
import { Badge, Time } from "../shell/text";
import { Destination } from "./link-text";

/** A badge for a link that is not open; nothing for one that is. */
export const PhaseBadge = ({ phase }: { phase: LinkDetails["life"]["phase"] | undefined }) =>
  phase === undefined || phase === "open" ? null : (
    <>
      {" "}
      <Badge of={phase === "early" ? "not_open_yet" : "ended"} />
    </>
  );

const FromGroup = () => <span class="soft"> (from its Activity Group)</span>;

const AfterEnd = ({ life }: { life: LinkDetails["life"] }) => {
  if (life.ended_url === null) return <>Visitors see a page that says that the link has ended.</>;
  const target = <Destination url={life.ended_url} maxCharacters={200} />;
  const from = life.ended_url_of_group && <FromGroup />;
  return life.is_ended_url_blocked ? (
    <>
      Visitors see a page that says that the link has ended, because the operator of this service does not
      allow the host of {target}
      {from}.
    </>
  ) : (
    <>
      Visitors are sent to {target}
      {from}
    </>
  );
};

/** When the link opens and ends, and what visitors get then. Nothing for a link without a start and an end. */
export const LifeFacts = ({ details: { link, life } }: { details: LinkDetails }) => (
  <>
    {link.starts_at !== null && (
      <>
        <dt>{life.phase === "early" ? "Opens" : "Opened"}</dt>
        <dd>
          <Time at={link.starts_at} exact />
        </dd>
      </>
    )}
    {life.ends_at !== null && (
      <>
        <dt>{life.phase === "ended" ? "Ended" : "Ends"}</dt>
        <dd>
          <Time at={life.ends_at} exact />
          {life.ends_with_group && <span class="soft"> (with its Activity Group)</span>}
        </dd>
      </>
    )}
    {(life.ends_at !== null || link.ended_url !== null) && (
      <>
        <dt>After the end</dt>
        <dd>
          <AfterEnd life={life} />
          {life.ends_at === null && <span class="small soft block">The link has no end yet.</span>}
        </dd>
      </>
    )}
  </>
);

/** What visitors get now, if that is not the destination. */
export const LifeNotice = ({ details: { link, life } }: { details: LinkDetails }) => {
  if (life.phase === "early" && link.starts_at !== null) {
    return (
      <p class="warning">
        This link is not open yet. It opens on <Time at={link.starts_at} exact />. Until then visitors see a
        page that says so.
      </p>
    );
  }
  if (life.phase !== "ended" || life.ends_at === null) return null;
  return (
    <p class="warning">
      This link ended on <Time at={life.ends_at} exact />. <AfterEnd life={life} />
    </p>
  );
};
