import type { Import } from "../../resources/imports/service";
import { href } from "../href";
import { Table } from "../shell/table";
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
    <Table
      caption="Recent imports"
      rows={imports}
      columns={[
        {
          heading: "File",
          isName: true,
          cell: ({ id, name }) => <a href={href.import(workspace, id)}>{name}</a>,
        },
        { heading: "State", cell: ({ status }) => <Badge of={status} /> },
        { heading: "Rows", kind: "number", cell: ({ rows }) => number(rows) },
        { heading: "Checked", cell: (one) => <Time at={one.created_at} exact /> },
      ]}
    />
  );
