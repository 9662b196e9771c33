import type { Import } from "../../resources/imports/service";
import { href } from "../href";
import { Badge, Empty, number, Time } from "../shell/text";

/** The imports of the last seven days. */
export const Recent = ({
  workspace,
  imports,
  mayWrite,
}: {
  workspace: string;
  imports: readonly Import[];
  mayWrite: boolean;
}) =>
  imports.length === 0 ? (
    <Empty>
      <p>
        Nothing has been imported in the last seven days.
        {mayWrite && " Choose a CSV file above to start."}
      </p>
    </Empty>
  ) : (
    <table class="list">
      <caption class="unseen">Recent imports</caption>
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">State</th>
          <th scope="col" class="number">
            Rows
          </th>
          <th scope="col">Checked</th>
        </tr>
      </thead>
      <tbody>
        {imports.map((one) => (
          <tr>
            <th scope="row">
              <a href={href.import(workspace, one.id)}>{one.name}</a>
            </th>
            <td data-label="State">
              <Badge of={one.status} />
            </td>
            <td class="number" data-label="Rows">
              {number(one.rows)}
            </td>
            <td data-label="Checked">
              <Time at={one.created_at} exact />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
