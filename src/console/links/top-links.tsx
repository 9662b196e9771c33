import { visitsOf } from "../../analytics/time-series";
import { ShareTable } from "../clicks/shares";
import { nameOf } from "./link-text";

const TOP = 10;

interface VisitedLink {
  id: string;
  title: string | null;
  slug: string;
  clicks: number;
  scans: number;
}

/** The most visited links with their shares of a whole. On a page that leads nowhere they are no links. */
export const TopLinks = ({
  title,
  links,
  whole,
  hrefOf,
}: {
  title: string;
  links: readonly VisitedLink[];
  whole: number;
  hrefOf?: (id: string) => string;
}) => (
  <section class="card">
    <ShareTable
      title={title}
      of="Visits"
      whole={whole}
      rows={links
        .filter((link) => visitsOf(link) > 0)
        .slice(0, TOP)
        .map((link) => ({
          label: nameOf(link),
          value: visitsOf(link),
          ...(hrefOf && { href: hrefOf(link.id) }),
        }))}
    />
  </section>
);
