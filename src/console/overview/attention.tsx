import { KEY_EXPIRES_SOON_DAYS } from "../../lib/key-expiry";
import { UNSCANNED_DAYS } from "../../resources/engagement/list";
import type { Attention, AttentionKind } from "../../resources/overview/service";
import { href } from "../href";
import { Card, number } from "../shell/text";

interface Kind {
  /** What is said of one, and of several. */
  one: string;
  many: string;
  /** The page on which they are listed. */
  all: (workspace: string) => string;
  page: (workspace: string, id: string) => string;
}

const KINDS: Readonly<Record<AttentionKind, Kind>> = {
  taken_down: {
    one: "link is taken down",
    many: "links are taken down",
    all: (workspace) => href.links(workspace, { health: "taken_down", status: "all" }),
    page: href.link,
  },
  broken: {
    one: "link has a broken destination",
    many: "links have a broken destination",
    all: (workspace) => href.links(workspace, { health: "broken", status: "all" }),
    page: href.link,
  },
  silent_assets: {
    one: `live asset without a scan in ${UNSCANNED_DAYS} days`,
    many: `live assets without a scan in ${UNSCANNED_DAYS} days`,
    all: (workspace) => href.assets(workspace, { unscanned: "1" }),
    page: href.asset,
  },
  past_end: {
    one: "Activity Group is past its end",
    many: "Activity Groups are past their end",
    all: (workspace) => href.groups(workspace, { past_end: "1" }),
    page: href.group,
  },
  imports: {
    one: "import is not finished",
    many: "imports are not finished",
    all: href.imports,
    page: href.import,
  },
  keys: {
    one: `API key expires within ${KEY_EXPIRES_SOON_DAYS} days`,
    many: `API keys expire within ${KEY_EXPIRES_SOON_DAYS} days`,
    all: href.keys,
    page: (workspace) => href.keys(workspace),
  },
};

const Item = ({
  workspace,
  attention: { kind, total, isMore, named },
}: {
  workspace: string;
  attention: Attention;
}) => {
  const { one, many, all, page } = KINDS[kind];
  const isOne = total === 1 && !isMore;
  return (
    <li>
      <a class="all" href={all(workspace)}>
        {isMore && "More than "}
        <strong>{number(total)}</strong> {isOne ? one : many}
      </a>
      <ul class="named small">
        {named.map(({ id, name }) => (
          <li>
            <a href={page(workspace, id)}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
        {(isMore || total > named.length) && <li class="soft">and more</li>}
      </ul>
    </li>
  );
};

/** What needs attention, each kind with the page on which it is mended. */
export const NeedsAttention = ({
  workspace,
  attention,
}: {
  workspace: string;
  attention: readonly Attention[];
}) => (
  <Card id="attention" title="Needs attention">
    {attention.length === 0 ? (
      <p class="soft">Nothing now.</p>
    ) : (
      <ul class="attention">
        {attention.map((one) => (
          <Item workspace={workspace} attention={one} />
        ))}
      </ul>
    )}
  </Card>
);
