// What the Worker of the soak and those who ask it agree on.

/** Behind it comes a verb, which no visitor can ask for: no slug has a slash. */
export const CONTROL = "/soak/";
/** The header that says which of the instances is asked. */
export const INSTANCE = "x-instance";
export const INSTANCES = 3;
/** Every minute, and once a day. */
export const CRONS = ["* * * * *", "*/2 * * * *", "17 3 * * *"] as const;
