import { nameOfAddress } from "../../lib/short-url";
import { toLinkReference } from "../../resources/engagement/link-reference";
import { findAssets } from "../../resources/engagement/list-assets";
import { type Link, listLinksQuery } from "../../resources/links/link-schema";
import type { ExactMatch } from "../../resources/links/list/plan-search";
import { type FoundLinks, listSomeLinks } from "../../resources/links/list-links";
import { here } from "../shell/href";
import { renderPart } from "../shell/layout";
import { type PageContext, readQuery } from "../shell/page-request";
import { Suggestions } from "../shell/picker";
import { Badge, count, number } from "../shell/text";
import { nameOf, shortened } from "./link-text";
import { linksQuery, toListQuery } from "./links-query";

const MAX_SHOWN = 8;
const MAX_SHOWN_CHARACTERS = 60;
const MAX_SEARCHED_CHARACTERS = 255;
const MAX_SUGGESTED_CHARACTERS = 80;

/** Why a link is found that does not have the text itself; undefined if it has. */
export function reasonOf({ by, asset }: ExactMatch): string | undefined {
  if (by === "old slug") return "by an old slug";
  return by === "code" && asset !== null ? `by the code of ${asset.name}` : undefined;
}

/** Of each kind. */
const MAX_OTHERS = 5;

/** The Activity Groups, tags and assets that a search finds besides links, a line for each. */
export async function readOthers(
  { var: { ctx } }: PageContext,
  text: string,
  found: Promise<Pick<FoundLinks, "tags" | "groups">>,
) {
  const [assets, { tags, groups }] = await Promise.all([findAssets(ctx, text, MAX_OTHERS), found]);
  const toLine =
    (to: (id: string) => string, kind: string) =>
    (one: { id: string; name: string; place?: string | null }) => ({ ...one, to, kind });
  return [
    ...groups.slice(0, MAX_OTHERS).map(toLine(here.group, "Group")),
    ...tags.slice(0, MAX_OTHERS).map(toLine(here.tag, "Tag")),
    ...assets.map(toLine(here.asset, "Poster")),
  ];
}

type Others = Awaited<ReturnType<typeof readOthers>>;

const FoundOthers = ({ others }: { others: Others }) =>
  others.map(({ to, id, name, kind, place = null }) => (
    <li>
      <a class="found-link" href={to(id)}>
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
  others.length === 0 ? null : (
    <nav class="card" aria-label="Also found">
      <ul class="found-links">
        <FoundOthers others={others} />
      </ul>
    </nav>
  );

const FoundLink = ({ link, exact }: { link: Link; exact: ExactMatch | null }) => (
  <li>
    <a class="found-link" href={here.link(link.id)}>
      <bdi>{nameOf(link)}</bdi>
      {link.status === "archived" && (
        <>
          {" "}
          <Badge of="archived" />
        </>
      )}
      <span class="small soft block">
        {`Link ${link.short_url.replace(/^https?:\/\//, "")}`}
        {exact?.link === link.id && reasonOf(exact) !== undefined && `, ${reasonOf(exact)}`}
        {" → "}
        <bdi>{shortened(link.destination_url, MAX_SHOWN_CHARACTERS)}</bdi>
      </span>
    </a>
  </li>
);

/** How many links are found, as lists count them: archived ones apart. */
function foundText(active: number, archived: number): string {
  if (archived === 0) return `${count(active, "link")} found.`;
  return active === 0
    ? `${count(archived, "archived link")} found.`
    : `${count(active, "link")} found, ${number(archived)} archived.`;
}

/** What a search finds among active links, and among archived ones. */
type FoundOfBoth = Readonly<Record<"active" | "archived", FoundLinks>>;

/** The first links that a search finds, for below its field: the one that the text names, active ones, archived ones. */
const Results = ({ text, found, others }: { text: string; found: FoundOfBoth; others: Others }) => {
  const { active, archived } = found;
  const exact = active.exact ?? archived.exact;
  const isNamed = ({ id }: Link) => id === exact?.link;
  const all = [...active.items, ...archived.items];
  const items = all
    .toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)))
    .slice(0, MAX_SHOWN);
  const [ofActive, ofArchived] = [active.meta.total, archived.meta.total];
  const isMore = ofActive + ofArchived > items.length;
  const none = others.length === 0 ? "Nothing is found." : "No link matches. These do:";
  // The link that has the very address is first. What is not a link follows, before other links.
  const addressed = items.findIndex(isNamed) + 1;
  const lines = items.map((link) => <FoundLink link={link} exact={exact} />);
  return (
    <>
      <p class="small soft">{items.length > 0 ? foundText(ofActive, ofArchived) : none}</p>
      <ul class="found-links">
        {lines.slice(0, addressed)}
        <FoundOthers others={others} />
        {lines.slice(addressed)}
      </ul>
      {isMore && (
        <a class="found-link" href={here.links({ q: text, status: "all" })}>
          Show all
        </a>
      )}
    </>
  );
};

/** What a search finds while the person types. Archived links are found too. */
export async function showFound(c: PageContext): Promise<Response> {
  const { ctx } = c.var;
  const { q } = readQuery(linksQuery, c);
  if (q === undefined) return c.html("");
  const read = (status: keyof FoundOfBoth) =>
    listSomeLinks(ctx, toListQuery(ctx, { ...linksQuery.parse({ q }), status, per_page: MAX_SHOWN }));
  const reading = read("active");
  const [active, archived, others] = await Promise.all([
    reading,
    read("archived"),
    readOthers(c, q, reading),
  ]);
  return renderPart(c, <Results text={q} found={{ active, archived }} others={others} />);
}

/** Links for a field that takes the slug of one. */
export async function showSuggestions(c: PageContext): Promise<Response> {
  const { ctx } = c.var;
  const text = toLinkReference(c.req.query("q") ?? "", ctx.config);
  const q = [...text].slice(0, MAX_SEARCHED_CHARACTERS).join("");
  if (q === "") return c.html("");
  const query = { ...listLinksQuery.parse({}), find: q, per_page: MAX_SHOWN };
  const { items } = await listSomeLinks(ctx, query);
  const shown = items.map((link) => {
    const value = nameOfAddress(ctx.config, link);
    return {
      value,
      label: [value === link.slug ? `/${value}` : value, link.title].filter(Boolean).join(" · "),
      more: shortened(link.destination_url, MAX_SUGGESTED_CHARACTERS),
    };
  });
  return renderPart(c, <Suggestions items={shown} />);
}
