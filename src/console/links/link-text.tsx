import type { Link } from "../../links/schema";

/** What a link is called: its title, or its slug. */
export const nameOf = ({ title, slug }: Pick<Link, "title" | "slug">): string => title ?? slug;

/** What somebody typed, in its own direction of writing. */
export const UserText = ({ text }: { text: string }) => <bdi>{text}</bdi>;

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

/** A text of at most `most` characters, its middle left out. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const tail = Math.floor(most / 4);
  return `${characters.slice(0, most - tail - 1).join("")}…${characters.slice(-tail).join("")}`;
}

/** An address that somebody typed: a link where it leads to the web, cut where it is longer than `most`. */
export const Destination = ({ url, most = Number.POSITIVE_INFINITY }: { url: string; most?: number }) => {
  const text = <bdi>{shortened(url, most)}</bdi>;
  return isWeb(url) ? (
    <a class="plain" href={url} title={url} rel="noreferrer nofollow">
      {text}
    </a>
  ) : (
    text
  );
};

/** Copies a short URL; it is there where scripts run. What shows the text beside it has `data-by-hand`. */
export const CopyButton = ({ text }: { text: string }) => (
  <button type="button" class="quiet" hidden data-copy={text}>
    <span>Copy</span> <span class="unseen">the short URL {text}</span>
  </button>
);
