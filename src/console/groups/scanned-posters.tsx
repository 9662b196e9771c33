import type { Asset } from "../../resources/engagement/asset";
import { ShareTable } from "../clicks/shares";

/** The most scanned assets of a group, with their shares of its scans. Those of the page of a group lead to their pages. */
export const ScannedPosters = ({
  posters,
  whole,
  hrefOf,
}: {
  posters: readonly (Pick<Asset, "id" | "name" | "place"> & { scans: number })[];
  whole: number;
  hrefOf?: (id: string) => string;
}) => (
  <section class="card">
    <ShareTable
      title="Most scanned posters"
      of="Scans"
      whole={whole}
      rows={posters.map(({ id, name, place, scans }) => ({
        label: [name, place].filter(Boolean).join(", "),
        value: scans,
        href: hrefOf?.(id),
      }))}
    />
  </section>
);
