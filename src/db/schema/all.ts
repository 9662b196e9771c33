// Times are milliseconds since the epoch. Columns ending in `_key` hold text folded by lib/slug-text, because SQLite folds
// only ASCII. Composite foreign keys prevent references across workspaces. If two indexes seem equally good, SQLite takes
// the one that is created last, so the general ones come first.

import * as accessTables from "./access";
import * as activityGroupsTables from "./activity-groups";
import * as alertsTables from "./alerts";
import * as analyticsTables from "./analytics";
import * as auditTables from "./audit";
import * as channelsTables from "./channels";
import * as codeBrandingsTables from "./code-brandings";
import * as destinationsTables from "./destinations";
import * as domainsTables from "./domains";
import * as engagementTables from "./engagement";
import * as eventsTables from "./events";
import * as idempotencyTables from "./idempotency";
import * as importsTables from "./imports";
import * as linksTables from "./links";
import * as operationsTables from "./operations";
import * as passkeysTables from "./passkeys";
import * as reportsTables from "./reports";
import * as tagsTables from "./tags";
import * as viewsTables from "./views";

/** Every table. */
export const schema = {
  ...accessTables,
  ...activityGroupsTables,
  ...alertsTables,
  ...analyticsTables,
  ...auditTables,
  ...destinationsTables,
  ...domainsTables,
  ...engagementTables,
  ...eventsTables,
  ...idempotencyTables,
  ...importsTables,
  ...linksTables,
  ...channelsTables,
  ...operationsTables,
  ...codeBrandingsTables,
  ...passkeysTables,
  ...reportsTables,
  ...tagsTables,
  ...viewsTables,
};
