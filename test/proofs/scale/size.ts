import { env } from "cloudflare:test";

/** Links of the measured workspace, for the pages of the web application. Each file fills a database of its own. */
export const LINKS = Number((env.SCALE || "20000").split(",").at(-1));
