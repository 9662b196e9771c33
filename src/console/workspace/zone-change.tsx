import { isoTime } from "../../lib/time";
import { zonesAfter } from "../../lib/time-zone";
import {
  type countDated,
  MAX_COUNTED_LINKS,
  MAX_NAMED_LINKS,
  type ZoneEffect,
  type ZonePreview,
} from "../../resources/workspaces/zone-effects";
import { here, href } from "../shell/href";
import { Page } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { HiddenFields, PostForm, Submit } from "../shell/post-form";
import { Card, count, NameLink, number, Time } from "../shell/text";
import { zoneText } from "../shell/zone-text";

const MAX_NAMED = 10;
const MAX_LISTED = 200;

/** "2 groups and 5 links", without what there is none of. */
const countBoth = (groups: number, links: number, most = Number.POSITIVE_INFINITY): string =>
  [
    ...(groups > 0 ? [count(groups, "group")] : []),
    ...(links > 0 ? [`${links > most ? "more than " : ""}${count(Math.min(links, most), "link")}`] : []),
  ].join(" and ");

/** Says beside the field that a change moves something. */
export const Dated = ({ groups, links }: Awaited<ReturnType<typeof countDated>>) =>
  groups + links > 0 && (
    <p class="hint">
      {countBoth(groups, links, MAX_COUNTED_LINKS)} {groups + links === 1 ? "starts or ends" : "start or end"}{" "}
      on a day. Before another time zone is saved, you see which of them open or end at once.
    </p>
  );

const HEADINGS: Readonly<Record<ZoneEffect, string>> = {
  opens: "Open at once",
  opens_again: "Open again, until their new end",
  ends: "End at once",
  closes: "Close at once, until their new start",
};

/** The filter of the list of links that finds them after the change. Open links have none. */
const WINDOWS = { opens: null, opens_again: null, ends: "ended", closes: "early" } as const;

/** Whether a group has this effect by its end. Its start opens and closes no link. */
const isOfEnd = (effect: ZoneEffect): boolean => effect === "ends" || effect === "opens_again";

const Effect = ({ effect, groups, links }: ZonePreview["effects"][number]) => {
  const items = [
    ...groups.map((group) => (
      <li>
        Group <NameLink to={here.group(group.public_id, { tab: "settings" })} name={group.name} />
        {group.ends_links === 1 && isOfEnd(effect) && (
          <span class="soft">, and with it its links that have no end of their own</span>
        )}
      </li>
    )),
    ...links.map((link) => (
      <li>
        <NameLink to={here.link(link.public_id)} name={link.title ?? `/${link.slug}`} />
        {link.title !== null && <span class="soft"> /{link.slug}</span>}
      </li>
    )),
  ];
  const more = items.length - MAX_NAMED;
  const window = WINDOWS[effect];
  return (
    <section class="stack" aria-labelledby={effect}>
      <h3 id={effect}>
        {HEADINGS[effect]} ({number(items.length)})
      </h3>
      <ul>{items.slice(0, MAX_NAMED)}</ul>
      {more > 0 && (
        <details>
          <summary>and {number(more)} more</summary>
          <ul>{items.slice(MAX_NAMED, MAX_LISTED)}</ul>
          {items.length > MAX_LISTED && (
            <p class="hint">
              The others are not named here.{" "}
              {window !== null && (
                <>
                  After the change they are among{" "}
                  <a href={here.links({ window, status: "all" })}>these links</a>.
                </>
              )}
            </p>
          )}
        </details>
      )}
    </section>
  );
};

const Rest = ({ preview: { moved, over, effects }, zone }: { preview: ZonePreview; zone: string }) => {
  const isOne = moved.groups + moved.links === 1;
  return (
    <>
      <p>
        {countBoth(moved.groups, moved.links)}{" "}
        {isOne ? "keeps its days, which then begin and end" : "keep their days, which then begin and end"} by
        the clocks of {zoneText(zone)}. Starts and ends with a time stay as they are.
      </p>
      {over.groups + over.links > 0 && (
        <p class="soft">
          {countBoth(over.groups, over.links)} of them{" "}
          {over.groups + over.links === 1 ? "has ended and stays ended" : "have ended and stay ended"}.
        </p>
      )}
      {effects.length === 0 && <p>None of them opens or ends at once.</p>}
    </>
  );
};

/** What another time zone would do, with the form that saves it with everything else that was changed. */
export function showZoneChange(
  c: PageContext,
  { form: _, ...fields }: Form["fields"],
  { zone, preview }: { zone: string; preview: ZonePreview },
): Response | Promise<Response> {
  const { ctx, workspace } = c.var;
  const { earlier } = zonesAfter({ zone: ctx.workspace.timeZone, earlier: [] }, zone, ctx.now());
  return c.render(
    <Page title={`Change to ${zoneText(zone)}?`} section="workspace" crumbs={["workspace"]} class="narrow">
      <p>
        Every page then shows {zoneText(zone)} instead of {zoneText(ctx.workspace.timeZone)}. From{" "}
        <Time at={isoTime(earlier[0]?.until ?? ctx.now())} exact /> on, clicks and scans are counted by its
        days. Those counted before keep their day.
      </p>
      <Card id="moved" title="What starts or ends on a day">
        <Rest preview={preview} zone={zone} />
        {preview.effects.map((one) => (
          <Effect {...one} />
        ))}
        {preview.isMore && (
          <p class="hint">There are more such links than these {number(MAX_NAMED_LINKS)}.</p>
        )}
      </Card>
      <PostForm action={href.settings(workspace)}>
        <HiddenFields fields={{ ...fields, zone_seen: zone }} />
        <Submit label={`Change to ${zoneText(zone)}`} cancel={href.settings(workspace)} />
      </PostForm>
    </Page>,
  );
}
