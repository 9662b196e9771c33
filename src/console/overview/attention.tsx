import { KEY_EXPIRES_SOON_DAYS } from "../../access/keys";
import { UNSCANNED_DAYS } from "../../resources/engagement/list-assets";
import {
  AFTER_END_DAYS,
  type Attention,
  type AttentionKind,
  MANY_VISITS_A_DAY,
} from "../../resources/overview/overview";
import { here } from "../shell/href";
import { Card, NameLink, number } from "../shell/text";

/** What is said of one and of several, the page that lists them all, and the page of one. */
type Kind = readonly [one: string, many: string, all: () => string, page: (id: string) => string];

const KINDS: Readonly<Record<AttentionKind, Kind>> = {
  taken_down: [
    "link is taken down",
    "links are taken down",
    () => here.links({ health: "taken_down", status: "all" }),
    here.link,
  ],
  broken: [
    "link has a broken destination",
    "links have a broken destination",
    () => here.links({ health: "broken", status: "all" }),
    here.link,
  ],
  ended_assets: [
    "live poster leads to a link or campaign that has ended",
    "live posters lead to a link or campaign that has ended",
    () => here.assets({ ended: "1" }),
    here.asset,
  ],
  silent_assets: [
    `live poster without a scan in ${UNSCANNED_DAYS} days`,
    `live posters without a scan in ${UNSCANNED_DAYS} days`,
    () => here.assets({ unscanned: "1" }),
    here.asset,
  ],
  after_end: [
    `poster was scanned after its end in the last ${AFTER_END_DAYS} days`,
    `posters were scanned after their end in the last ${AFTER_END_DAYS} days`,
    () => here.assets({ after_end: "1" }),
    here.asset,
  ],
  unknown: [
    `unknown address was asked for more than ${MANY_VISITS_A_DAY} times a day`,
    `unknown addresses were asked for more than ${MANY_VISITS_A_DAY} times a day`,
    here.unknownAddresses,
    () => here.unknownAddresses(),
  ],
  past_end: [
    "group is past its end",
    "groups are past their end",
    () => here.groups({ past_end: "1" }),
    here.group,
  ],
  imports: ["import is not finished", "imports are not finished", here.imports, here.import],
  keys: [
    `API key expires within ${KEY_EXPIRES_SOON_DAYS} days`,
    `API keys expire within ${KEY_EXPIRES_SOON_DAYS} days`,
    here.keys,
    () => here.keys(),
  ],
  receivers: ["receiver was switched off", "receivers were switched off", here.receivers, here.receiver],
};

const Item = ({ kind, total, isMore, named }: Attention) => {
  const [one, many, all, page] = KINDS[kind];
  const isOne = total === 1 && !isMore;
  return (
    <li>
      <a class="all" href={all()}>
        {isMore && "More than "}
        <strong>{number(total)}</strong> {isOne ? one : many}
      </a>
      <ul class="named small">
        {named.map(({ id, name }) => (
          <li>
            <NameLink to={page(id)} name={name} />
          </li>
        ))}
        {(isMore || total > named.length) && <li class="soft">and more</li>}
      </ul>
    </li>
  );
};

export const NeedsAttention = ({ attention }: { attention: readonly Attention[] }) => (
  <Card id="attention" title="Needs attention">
    {attention.length === 0 ? (
      <p class="soft">Nothing now.</p>
    ) : (
      <ul class="attention">{attention.map(Item)}</ul>
    )}
  </Card>
);
