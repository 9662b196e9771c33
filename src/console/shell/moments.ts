import { fromLocalMoment, toLocalMoment } from "../../lib/local-moment";

// A `datetime-local` field has no zone. Forms show and read it in the workspace's.

/** The value of a `datetime-local` field. Seconds and milliseconds are left out if they are 0. */
export const toMomentField = (time: string | null, timeZone: string): string =>
  time === null ? "" : toLocalMoment(time, timeZone);

/** The ISO time of a `datetime-local` field. Another text stays as it is. */
export const fromMomentField = (text: string, timeZone: string): string =>
  fromLocalMoment(text.trim(), timeZone) ?? text;
