import { OVERLOADED, withBatch } from "../faulty";

/** An environment whose D1 fails batches that begin with an update, such as the record of a use behind the response. */
export const withoutUpdates = (start = "update") =>
  withBatch((send) => (statements) => {
    const [first] = statements as (D1PreparedStatement & { statement: string })[];
    return first?.statement.startsWith(start) ? Promise.reject(new Error(OVERLOADED)) : send(statements);
  });
