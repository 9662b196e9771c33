import { env } from "cloudflare:test";

/** Links of the measured workspace, for the pages of the web application. 3,000 are more than a search for broken ones looks at. Each file fills a database of its own. */
export const LINKS = Number((env.SCALE || (env.LONG ? "20000" : "3000")).split(",").at(-1));
