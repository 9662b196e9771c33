import type { GroupOverview } from "../../activity-groups/overview";
import { Badge, words } from "../shell/text";
import { Dates } from "./dates";

export const GroupFacts = ({ group }: { group: GroupOverview }) => (
  <dl class="facts">
    <dt>Status</dt>
    <dd>
      <Badge of={group.status} />
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
    {group.description !== "" && (
      <>
        <dt>Description</dt>
        <dd>{group.description}</dd>
      </>
    )}
  </dl>
);
