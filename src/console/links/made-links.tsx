import { nameGroupLinks } from "../../analytics/group-report";
import { MAX_SEVERAL_LINKS } from "../../resources/links/import-links";
import { Copied } from "../shell/button";
import { currentPage, type PageContext } from "../shell/page-request";
import { Badge, Card, count } from "../shell/text";
import { nameOf } from "./link-text";

/** The links that the address of the page says were just made. */
export const madeIds = (c: PageContext): string[] =>
  (c.req.queries("made") ?? []).slice(0, MAX_SEVERAL_LINKS);

export async function readMadeLinks(c: PageContext) {
  const made = await nameGroupLinks(
    c.var.ctx,
    madeIds(c).map((id) => ({ id, clicks: 0, scans: 0 })),
  );
  return made.map((link) => ({ name: nameOf(link), short_url: link.short_url }));
}

/** Whether a link was just made. */
export const MadeBadge = ({ id }: { id: string }) =>
  madeIds(currentPage()).includes(id) && <Badge of="new" />;

/** The address of a link that was just made, or all of several: a line for each, with a tab between its name and its address. */
export const MadeLinks = ({ links }: { links: Awaited<ReturnType<typeof readMadeLinks>> }) =>
  links.length === 0 ? null : (
    <Card id="made" title={count(links.length, "new link")}>
      {links.length === 1 ? (
        <Copied text={links[0]?.short_url ?? ""} label="Copy" />
      ) : (
        <Copied
          text={links.map(({ name, short_url }) => `${name}\t${short_url}`).join("\n")}
          label="Copy all"
        />
      )}
    </Card>
  );
