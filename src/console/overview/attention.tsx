import { KEY_EXPIRES_SOON_DAYS } from "../../access/keys";
import { UNSCANNED_DAYS } from "../../resources/engagement/list-assets";
import { AFTER_END_DAYS, type Attention, type AttentionKind } from "../../resources/overview/overview";
import { here } from "../shell/href";
import { Card, NameLink, number } from "../shell/text";

interface Kind {
  /** What is said of one, and of several. */
  one: string;
  many: string;
  /** The page on which they are listed. */
  all: () => string;
  page: (id: string) => string;
}

const KINDS: Readonly<Record<AttentionKind, Kind>> = {
  taken_down: {
    one: "link is taken down",
    many: "links are taken down",
    all: () => here.links({ health: "taken_down", status: "all" }),
    page: here.link,
  },
  broken: {
    one: "link has a broken destination",
    many: "links have a broken destination",
    all: () => here.links({ health: "broken", status: "all" }),
    page: here.link,
  },
  ended_assets: {
    one: "live asset leads to a link or campaign that has ended",
    many: "live assets lead to a link or campaign that has ended",
    all: () => here.assets({ ended: "1" }),
    page: here.asset,
  },
  silent_assets: {
    one: `live asset without a scan in ${UNSCANNED_DAYS} days`,
    many: `live assets without a scan in ${UNSCANNED_DAYS} days`,
    all: () => here.assets({ unscanned: "1" }),
    page: here.asset,
  },
  after_end: {
    one: `asset was scanned after its end in the last ${AFTER_END_DAYS} days`,
    many: `assets were scanned after their end in the last ${AFTER_END_DAYS} days`,
    all: () => here.assets({ after_end: "1" }),
    page: here.asset,
  },
  past_end: {
    one: "Activity Group is past its end",
    many: "Activity Groups are past their end",
    all: () => here.groups({ past_end: "1" }),
    page: here.group,
  },
  imports: {
    one: "import is not finished",
    many: "imports are not finished",
    all: here.imports,
    page: here.import,
  },
  keys: {
    one: `API key expires within ${KEY_EXPIRES_SOON_DAYS} days`,
    many: `API keys expire within ${KEY_EXPIRES_SOON_DAYS} days`,
    all: here.keys,
    page: () => here.keys(),
  },
};

const Item = ({ kind, total, isMore, named }: Attention) => {
  const { one, many, all, page } = KINDS[kind];
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

/** What needs attention, each kind with the page on which it is mended. */
export const NeedsAttention = ({ attention }: { attention: readonly Attention[] }) => (
  <Card id="attention" title="Needs attention">
    {attention.length === 0 ? (
      <p class="soft">Nothing now.</p>
    ) : (
      <ul class="attention">{attention.map(Item)}</ul>
    )}
  </Card>
);
