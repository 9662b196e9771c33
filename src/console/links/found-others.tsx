import { findAssets } from "../../resources/engagement/list";
import type { FoundLinks } from "../../resources/links/list";
import { here } from "../shell/href";
import type { PageContext } from "../shell/request";

/** Of each kind. */
const MAX_OTHERS = 5;

/** The assets, Activity Groups and tags that a search finds besides links. */
export interface Others extends Pick<FoundLinks, "tags" | "groups"> {
  assets: Awaited<ReturnType<typeof findAssets>>;
}

export async function readOthers(
  { var: { ctx } }: PageContext,
  text: string,
  found: Promise<Pick<FoundLinks, "tags" | "groups">>,
): Promise<Others> {
  const [assets, { tags, groups }] = await Promise.all([findAssets(ctx, text, MAX_OTHERS), found]);
  return { assets, tags: tags.slice(0, MAX_OTHERS), groups: groups.slice(0, MAX_OTHERS) };
}

const toLines = ({ assets, groups, tags }: Others) => [
  ...groups.map(({ id, name }) => ({ to: here.group(id), name, kind: "Activity Group", place: null })),
  ...tags.map(({ id, name }) => ({ to: here.tag(id), name, kind: "Tag", place: null })),
  ...assets.map(({ id, name, place }) => ({ to: here.asset(id), name, kind: "Asset", place })),
];

/** A line for each, with its kind. */
export const FoundOthers = ({ others }: { others: Others }) =>
  toLines(others).map(({ to, name, kind, place }) => (
    <li>
      <a class="found-link" href={to}>
        <bdi>{name}</bdi>
        <span class="small soft block">
          {kind}
          {place !== null && (
            <>
              , <bdi>{place}</bdi>
            </>
          )}
        </span>
      </a>
    </li>
  ));

/** On the list of links, for a search without scripts too. */
export const OthersCard = ({ others }: { others: Others }) =>
  toLines(others).length === 0 ? null : (
    <nav class="card" aria-label="Also found">
      <ul class="found-links">
        <FoundOthers others={others} />
      </ul>
    </nav>
  );
