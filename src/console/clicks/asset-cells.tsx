import { href } from "../href";
import { Badge } from "../shell/text";

interface NamedAsset {
  id: string;
  name: string;
  place: string | null;
  status: string;
}

/** The name, place and status of an asset, in a row of a table with its scans. */
export const AssetCells = ({
  workspace,
  asset: { id, name, place, status },
}: {
  workspace: string;
  asset: NamedAsset;
}) => (
  <>
    <th scope="row">
      <a href={href.asset(workspace, id)}>
        <bdi>{name}</bdi>
      </a>
    </th>
    <td data-label={place === null ? undefined : "Place"}>{place !== null && <bdi>{place}</bdi>}</td>
    <td data-label="Status">
      <Badge of={status} />
    </td>
  </>
);

/** The headings of these cells. */
export const AssetHeadings = () => (
  <>
    <th scope="col">Asset</th>
    <th scope="col">Place</th>
    <th scope="col">Status</th>
  </>
);
