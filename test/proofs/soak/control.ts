// Constants shared by the soak's Worker and its clients.

/** The prefix of control paths. No visit uses it, since slugs have no slash. */
export const CONTROL = "/soak/";
/** The header that selects an instance. */
export const INSTANCE = "x-instance";
export const INSTANCES = 3;
/** Every minute, and once a day. */
export const CRONS = ["* * * * *", "*/2 * * * *", "1-59/2 * * * *", "17 3 * * *"] as const;
