import { literal } from "./literal";

/** In milliseconds since the epoch. */
export const TIME_OF_D1 = literal<{ now: number }>("select unixepoch('subsec') * 1000 as now");
