import type { DailyVisits } from "../../clicks/of-links";
import type { Link } from "../../links/schema";
import { Spark } from "../clicks/chart";
import { href } from "../href";
import { Badge } from "../shell/text";
import { BulkFields, type BulkForm } from "./bulk-form";
import { PhaseBadge } from "./life";
import { CopyButton, Destination, nameOf, UserText } from "./link-text";
import { TagBadges } from "./tag-badges";

const Row = ({
  workspace,
  link,
  visits,
  days,
  isTakenDown,
  isBroken,
  phase,
  isChosen,
}: {
  workspace: string;
  link: Link;
  visits: DailyVisits | undefined;
  days: string;
  isTakenDown: boolean;
  isBroken: boolean;
  phase: "early" | "ended" | undefined;
  /** Undefined without a checkbox. */
  isChosen: boolean | undefined;
}) => (
  <tr>
    {isChosen !== undefined && (
      <td class="pick">
        <input
          type="checkbox"
          name="ids"
          value={link.id}
          checked={isChosen}
          aria-label={`Choose ${nameOf(link)}`}
        />
      </td>
    )}
    <th scope="row">
      <div class="link">
        <a href={href.link(workspace, link.id)}>
          <UserText text={nameOf(link)} />
        </a>
        <span class="row">
          <span class="small" data-by-hand="">
            {link.short_url}
          </span>
          <CopyButton text={link.short_url} />
        </span>
        <span class="small soft">
          <span class="unseen">leads to </span>
          <Destination url={link.destination_url} maxCharacters={80} />
        </span>
      </div>
    </th>
    <td data-label="Group">
      {link.activity_group === undefined ? (
        <span class="soft">None</span>
      ) : (
        <a href={href.group(workspace, link.activity_group.id)}>
          <UserText text={link.activity_group.name} />
        </a>
      )}
    </td>
    <td data-label="Tags">
      <TagBadges workspace={workspace} tags={link.tags} />
    </td>
    <td data-label="Status">
      <Badge of={link.status} />
      {isTakenDown && (
        <>
          {" "}
          <Badge of="taken_down" />
        </>
      )}
      {isBroken && (
        <>
          {" "}
          <Badge of="broken_destination" />
        </>
      )}
      <PhaseBadge phase={phase} />
    </td>
    <td data-label={`Clicks · Scans, ${days} days`}>
      {visits && <Spark visits={visits} during={`in the last ${days} days`} />}
    </td>
  </tr>
);

/** With `bulkForm`, each link has a checkbox for changes of many links. */
export const LinkTable = ({
  workspace,
  links,
  visits,
  days,
  takenDown,
  broken,
  closed,
  bulkForm,
}: {
  workspace: string;
  links: readonly Link[];
  visits: ReadonlyMap<string, DailyVisits> | undefined;
  days: string;
  /** Ids of the links whose visitors see the takedown page. */
  takenDown: ReadonlySet<string>;
  /** Ids of the links whose destination is broken. */
  broken: ReadonlySet<string> | undefined;
  /** The links that are not open yet or have ended, by id. */
  closed: ReadonlyMap<string, "early" | "ended">;
  bulkForm: BulkForm | undefined;
}) => {
  const table = (
    <table class="list links">
      <caption class="unseen">Links</caption>
      <thead>
        <tr>
          {bulkForm && (
            <th scope="col">
              <span class="unseen">Choose</span>
            </th>
          )}
          <th scope="col">Link</th>
          <th scope="col">Group</th>
          <th scope="col">Tags</th>
          <th scope="col">Status</th>
          <th scope="col">Clicks · Scans, {days} days</th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <Row
            workspace={workspace}
            link={link}
            visits={visits?.get(link.id)}
            days={days}
            isTakenDown={takenDown.has(link.id)}
            isBroken={broken?.has(link.id) ?? false}
            phase={closed.get(link.id)}
            isChosen={bulkForm && (bulkForm.refused?.ids.includes(link.id) ?? false)}
          />
        ))}
      </tbody>
    </table>
  );
  if (bulkForm === undefined) return table;
  return (
    <form class="stack" method="post" action={bulkForm.action} aria-label="Change many links">
      <label class="row" hidden>
        <input type="checkbox" data-ticks="ids" />
        Choose all links of this page
      </label>
      {table}
      <BulkFields {...bulkForm} />
    </form>
  );
};
