import type { GroupOverview } from "../../resources/activity-groups/overview";
import { Destination } from "../links/link-text";
import { words } from "../shell/text";
import { Dates, StatusWithDates } from "./dates";

const EndOfLinks = ({ group }: { group: GroupOverview }) => (
  <>
    {!group.ends_links
      ? "They do not end with the group."
      : group.ends_at === null
        ? "They are to end with the group, which has no end yet."
        : "They end with the group, unless they have an end of their own."}
    <span class="small soft block">
      {group.ended_url === null ? (
        "After the end visitors see a page that says that the link has ended, unless the link has an address for it."
      ) : (
        <>
          After the end visitors are sent to <Destination url={group.ended_url} maxCharacters={200} />, unless
          the link has an address of its own.
        </>
      )}
    </span>
  </>
);

export const GroupProperties = ({ group, now }: { group: GroupOverview; now: number }) => (
  <dl class="facts">
    <dt>Status</dt>
    <dd>
      <StatusWithDates group={group} now={now} />
      {group.follows_dates && <span class="small soft block">The status follows the dates.</span>}
    </dd>
    <dt>Type</dt>
    <dd>{words(group.type)}</dd>
    <dt>Slug</dt>
    <dd>
      <code>{group.slug}</code>
    </dd>
    <dt>Default UTM campaign</dt>
    <dd>
      {group.default_utm_campaign === null ? (
        <span class="soft">None</span>
      ) : (
        <code>{group.default_utm_campaign}</code>
      )}
    </dd>
    <dt>Dates</dt>
    <dd>
      <Dates group={group} />
    </dd>
    {(group.ends_links || group.ended_url !== null) && (
      <>
        <dt>Links in it</dt>
        <dd>
          <EndOfLinks group={group} />
        </dd>
      </>
    )}
    {group.description !== "" && (
      <>
        <dt>Description</dt>
        <dd>{group.description}</dd>
      </>
    )}
  </dl>
);
