import { ownerOf } from "../../lib/external-id";
import { LABEL_FIELD_NAMES, LABEL_FIELDS, PREVIEW_FIELD_NAMES, PREVIEW_FIELDS } from "../../lib/link-fields";
import type { Actor } from "../../resources/audit/actors";
import type { DestinationHealth } from "../../resources/destinations/health";
import type { LinkDetails } from "../../resources/links/link-details";
import type { Link } from "../../resources/links/link-schema";
import { getLinkQr } from "../../resources/qr/link-qr";
import { creatorText } from "../changes/change-text";
import { HealthState } from "../health/state";
import { QrFiles, sendQr } from "../print/qr-files";
import { ButtonLink, MoreMenu, PostButton } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { here } from "../shell/href";
import { currentPage, type PageContext } from "../shell/page-request";
import { Card, Fact, NameLink, TextFact, Time } from "../shell/text";
import { WindowProperties } from "./active-window";
import { CopyButton, Destination, TagBadges, WithoutScheme } from "./link-text";

/** A link's QR code and its downloads. */
export const LinkQr = ({ link }: { link: Link }) => (
  <Card id="qr" title="QR code">
    {link.status === "archived" ? (
      <p class="soft">
        An archived link has none, so that nothing new is printed with it. Codes that are printed already go
        on working.
      </p>
    ) : (
      <QrFiles
        url={link.short_url}
        hrefOf={(query) => here.qr(link.id, query)}
        brandedHref={here.brandings({ link: link.id })}
      />
    )}
  </Card>
);

export const sendLinkQr = (c: PageContext): Promise<Response> =>
  sendQr(c, (options) => getLinkQr(c.var.ctx, c.req.param("id"), options));

const MAX_DESTINATION_CHARACTERS = 300;

/** What one does more rarely with a link. */
const More = ({ details: { link } }: { details: LinkDetails }) => {
  const isArchived = link.status === "archived";
  return (
    <MoreMenu
      actions={[
        <a href={here.newLink({ from: link.id })}>Duplicate</a>,
        !isArchived && <a href={here.newAsset({ link: link.id })}>Create a poster, flyer or package</a>,
        !isArchived && <a href={here.newAssets({ link: link.id })}>Create several posters</a>,
        <PostButton
          to={here.linkStatus(link.id)}
          label={isArchived ? "Restore" : "Archive"}
          kind="plain-button"
          name="status"
          value={isArchived ? "active" : "archived"}
        />,
        <a href="#delete">Delete…</a>,
      ]}
    />
  );
};

/** The short link, where it leads, and what one does with it. */
export const LinkToolbar = ({ details }: { details: LinkDetails }) => {
  const { link } = details;
  return (
    <section class="toolbar" aria-label="The short link">
      <p>
        <strong class="short-url" data-by-hand="">
          <WithoutScheme url={link.short_url} />
        </strong>{" "}
        <CopyButton text={link.short_url} kind="primary" />
      </p>
      <p class="soft leads">
        <span class="unseen">leads to </span>
        <span aria-hidden="true">→ </span>
        <Destination url={link.destination_url} maxCharacters={MAX_DESTINATION_CHARACTERS} />
        {link.rules.length > 0 && (
          <>
            , and <a href={here.linkRules(link.id)}>some visitors elsewhere</a>
          </>
        )}
      </p>
      <div class="row">
        {link.status !== "archived" && <ButtonLink to="#qr" label="QR code" icon="qr" />}
        {currentPage().var.isEditor && (
          <>
            <ButtonLink to={here.linkRules(link.id)} label="Rules" icon="rules" />
            <ButtonLink to={here.editLink(link.id)} label="Edit" icon="edit" />
            <More details={details} />
          </>
        )}
      </div>
    </section>
  );
};

/** For owners, each slug has a form that drops it. */
const OldSlugs = ({ details: { link, old_slugs: slugs, taken_down_by: by } }: { details: LinkDetails }) =>
  currentPage().var.membership.role !== "owner" || by === "operator" ? (
    <>{slugs.join(", ")} </>
  ) : (
    <ul>
      {slugs.map((slug) => (
        <li>
          {slug}
          <Dangerous
            summary={
              <>
                Drop<span class="unseen"> {slug}</span>
              </>
            }
            action={here.dropSlug(link.id)}
            button="Drop it for good"
            fields={{ slug }}
            consequence={
              <>
                <strong>{slug}</strong> and every code printed with it lead nowhere from now on. The slug
                stays this workspace’s own, so that a link can use it again.
              </>
            }
          />
        </li>
      ))}
    </ul>
  );

/** The title is the heading of the page. */
const FURTHER_LABELS = LABEL_FIELD_NAMES.filter((name) => name !== "title");

export const LinkProperties = ({
  details,
  creator,
  health,
}: {
  details: LinkDetails;
  creator: Actor;
  /** Undefined while destinations are not asked. */
  health: DestinationHealth | undefined;
}) => {
  const { link } = details;
  return (
    <Card id="details" title="Details">
      <dl class="facts">
        {health && (
          <Fact name="Destination">
            <HealthState health={health} />
          </Fact>
        )}
        <Fact name="Group">
          {link.activity_group === undefined ? (
            <span class="soft">None</span>
          ) : (
            <NameLink to={here.group(link.activity_group.id)} name={link.activity_group.name} />
          )}
        </Fact>
        {FURTHER_LABELS.map((name) => (
          <TextFact name={LABEL_FIELDS[name].label} text={link[name]} />
        ))}
        <Fact name="Tags">
          <TagBadges tags={link.tags} />
        </Fact>
        <TextFact name="External ID" text={link.external_id} />
        <TextFact name="Managed by" text={ownerOf(link.external_id) ?? null} />
        <WindowProperties details={details} />
        {currentPage().var.ctx.config.ownPreviews &&
          PREVIEW_FIELD_NAMES.map((name) => (
            <TextFact name={PREVIEW_FIELDS[name].label} text={details.preview[name]} />
          ))}
        {details.old_slugs.length > 0 && (
          <Fact name="Old slugs">
            <span class="small soft block">They go on leading here, and nobody else can have them.</span>
            <OldSlugs details={details} />
          </Fact>
        )}
        <TextFact name="Note" text={details.note} class="screen note" />
        <Fact name="Created">
          by <bdi>{creatorText(creator)}</bdi> on <Time at={link.created_at} exact />
        </Fact>
        <Fact name="Changed">
          <Time at={link.updated_at} exact />
        </Fact>
      </dl>
    </Card>
  );
};
