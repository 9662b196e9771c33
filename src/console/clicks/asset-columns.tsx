import { here } from "../shell/href";
import type { Column } from "../shell/table";
import { Badge, NameLink, number } from "../shell/text";

interface ScannedAsset {
  id: string;
  name: string;
  place: string | null;
  status: string;
  scans: number;
}

/** The name, place and status of an asset, in lists of a link's or a group's assets. */
export const assetColumns: Column<ScannedAsset>[] = [
  {
    heading: "Asset",
    isName: true,
    cell: ({ id, name }) => <NameLink to={here.asset(id)} name={name} />,
  },
  { heading: "Place", cell: ({ place }) => place !== null && <bdi>{place}</bdi> },
  { heading: "Status", cell: ({ status }) => <Badge of={status} /> },
];

export const scansColumn: Column<ScannedAsset> = {
  heading: "Scans",
  kind: "number",
  cell: ({ scans }) => number(scans),
};
