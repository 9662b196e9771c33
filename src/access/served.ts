/** SQL: whether a domain serves links of its workspace: it is proved, and not removed. */
export const WHERE_SERVED = "domains.state <> 'pending' and domains.removed_at is null";
