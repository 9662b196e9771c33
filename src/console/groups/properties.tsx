import type { GroupOverview } from "../../resources/activity-groups/overview";
import { Destination } from "../links/link-text";
import { NoteFact } from "../shell/note";
import { Fact, words } from "../shell/text";
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

export const GroupProperties = ({ group }: { group: GroupOverview }) => (
  <dl class="facts">
    <Fact name="Status">
      <StatusWithDates group={group} />
      {group.follows_dates && <span class="small soft block">The status follows the dates.</span>}
    </Fact>
    <Fact name="Type">{words(group.type)}</Fact>
    <Fact name="Slug">
      <code>{group.slug}</code>
    </Fact>
    <Fact name="Default UTM campaign">
      {group.default_utm_campaign === null ? (
        <span class="soft">None</span>
      ) : (
        <code>{group.default_utm_campaign}</code>
      )}
    </Fact>
    <Fact name="Dates">
      <Dates group={group} />
    </Fact>
    {(group.ends_links || group.ended_url !== null) && (
      <Fact name="Links in it">
        <EndOfLinks group={group} />
      </Fact>
    )}
    {group.description !== "" && <Fact name="Description">{group.description}</Fact>}
    <NoteFact note={group.note} />
  </dl>
);
