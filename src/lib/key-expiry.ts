import { DAY_MS } from "./time";

/** So many days before its expiry an API key needs attention: in its list, on the overview and in alerts. */
export const KEY_EXPIRES_SOON_DAYS = 7;
export const KEY_EXPIRES_SOON_MS = KEY_EXPIRES_SOON_DAYS * DAY_MS;
