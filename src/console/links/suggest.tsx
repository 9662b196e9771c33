import type { Hono } from "hono";
import { toLinkReference } from "../../resources/engagement/link-reference";
import { listSomeLinks } from "../../resources/links/list";
import { listLinksQuery } from "../../resources/links/schema";
import { paths } from "../href";
import { Suggestions } from "../shell/picker";
import type { ConsoleEnv } from "../shell/request";
import { shortened } from "./link-text";

const MAX_SUGGESTED = 8;
const MAX_SEARCHED_CHARACTERS = 255;
const MAX_SHOWN_CHARACTERS = 80;

/** Links for a field that names one, by a part of their slug, title or destination. Their value is the slug. */
export function registerLinkSuggestions(app: Hono<ConsoleEnv>): void {
  app.get(paths.suggestLinks, async (c) => {
    const { ctx } = c.var;
    const text = toLinkReference(c.req.query("q") ?? "", ctx.config.shortBaseUrl);
    const q = [...text].slice(0, MAX_SEARCHED_CHARACTERS).join("");
    if (q === "") return c.html("");
    const { items } = await listSomeLinks(ctx, {
      ...listLinksQuery.parse({}),
      find: q,
      per_page: MAX_SUGGESTED,
    });
    const shown = items.map(({ slug, title, destination_url: url }) => ({
      value: slug,
      label: title === null ? `/${slug}` : `/${slug} · ${title}`,
      more: shortened(url, MAX_SHOWN_CHARACTERS),
    }));
    return c.html(<Suggestions items={shown} />);
  });
}
