import type { Link } from "../../resources/links/link-schema";
import { TagName } from "../shell/colour";
import { here } from "../shell/href";
import { Icon } from "../shell/icon";

/** A link's tags; each leads to the list of its links. Of more than `maxShown` the others are only counted. */
export const TagBadges = ({
  tags,
  maxShown = Number.POSITIVE_INFINITY,
}: {
  tags: Link["tags"];
  maxShown?: number;
}) => {
  const others = tags.slice(maxShown);
  return tags.length === 0 ? (
    <span class="soft">None</span>
  ) : (
    <span class="tags">
      {tags.slice(0, maxShown).map((tag) => (
        <a class="badge" href={here.links({ tag: [tag.slug] })}>
          <TagName tag={tag} />
        </a>
      ))}
      {others.length > 0 && (
        <span class="badge" title={others.map(({ name }) => name).join(", ")}>
          +{others.length}
          <span class="unseen"> more tags</span>
        </span>
      )}
    </span>
  );
};

/** The title of a link, or its slug. */
export const nameOf = ({ title, slug }: Pick<Link, "title" | "slug">): string => title ?? slug;

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

/** Leaves out the middle of a text that is longer than `maxCharacters`. */
export function shortened(text: string, maxCharacters: number): string {
  const characters = [...text];
  if (characters.length <= maxCharacters) return text;
  const tail = Math.floor(maxCharacters / 4);
  return `${characters.slice(0, maxCharacters - tail - 1).join("")}…${characters.slice(-tail).join("")}`;
}

/** An address whose scheme is read and copied, but not seen. */
export const WithoutScheme = ({ url }: { url: string }) => {
  const [scheme = ""] = /^https?:\/\//i.exec(url) ?? [];
  return (
    <>
      {scheme !== "" && <span class="unseen">{scheme}</span>}
      {url.slice(scheme.length)}
    </>
  );
};

/** An address that somebody typed. It is a link only if it leads to the web. */
export const Destination = ({
  url,
  maxCharacters = Number.POSITIVE_INFINITY,
  isSchemeSeen = true,
}: {
  url: string;
  maxCharacters?: number;
  isSchemeSeen?: boolean;
}) => {
  const shown = shortened(url, maxCharacters);
  const text = <bdi>{isSchemeSeen ? shown : <WithoutScheme url={shown} />}</bdi>;
  return isWeb(url) ? (
    <a class="plain" href={url} title={url} rel="noreferrer nofollow">
      {text}
    </a>
  ) : (
    text
  );
};

/** Hidden without scripts. If copying fails, the script selects the text in `data-by-hand` beside it. */
export const CopyButton = ({ text, kind = "quiet" }: { text: string; kind?: "quiet" | "primary" }) => (
  <button type="button" class={kind} hidden data-copy={text}>
    <Icon of="copy" />
    <span>Copy</span> <span class="unseen">the short link {text}</span>
  </button>
);
