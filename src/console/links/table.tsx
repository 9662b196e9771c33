import type { ActivityGroup } from "../../activity-groups/schema";
import type { Link } from "../../links/schema";
import type { Tag } from "../../tags/schema";
import { Spark } from "../clicks/chart";
import { href } from "../href";
import { Select } from "../shell/form";
import type { Problem } from "../shell/problem";
import { Badge } from "../shell/text";
import { CopyButton, Destination, nameOf, UserText } from "./link-text";

/** The form around the table by which many links are changed. */
export interface ManyForm {
  action: string;
  tags: readonly Tag[];
  groups: readonly ActivityGroup[];
  /** The value that stands for no group. */
  noGroup: string;
  /** As it was sent, where it was refused. */
  chosen: { problem: Problem; ids: readonly string[]; tag: string; group: string } | undefined;
}

const Row = ({
  workspace,
  link,
  clicks,
  days,
  isTakenDown,
  chosen,
}: {
  workspace: string;
  link: Link;
  clicks: readonly number[] | undefined;
  days: string;
  isTakenDown: boolean;
  /** Undefined where nothing can be chosen. */
  chosen: boolean | undefined;
}) => (
  <tr>
    {chosen !== undefined && (
      <td class="pick">
        <input
          type="checkbox"
          name="ids"
          value={link.id}
          checked={chosen}
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
          <Destination url={link.destination_url} most={80} />
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
      {link.tags.length === 0 ? (
        <span class="soft">None</span>
      ) : (
        <span class="tags">
          {link.tags.map(({ name, slug }) => (
            <a class="badge" href={href.links(workspace, { tag: [slug] })}>
              <UserText text={name} />
            </a>
          ))}
        </span>
      )}
    </td>
    <td data-label="Status">
      <Badge of={link.status} />
      {isTakenDown && (
        <>
          {" "}
          <Badge of="taken_down" />
        </>
      )}
    </td>
    <td data-label={`Clicks, ${days} days`}>
      {clicks && <Spark values={clicks} of="click" during={`in the last ${days} days`} />}
    </td>
  </tr>
);

const ChangeBar = ({ tags, groups, noGroup, chosen }: ManyForm) => {
  const errors = chosen?.problem.errors ?? {};
  const problem = chosen && {
    ...chosen.problem,
    errors: {
      with_tag: errors["tag"] ?? [],
      to_group: errors["activity_group_id"] ?? [],
    },
  };
  return (
    <fieldset class="change">
      <legend>With the chosen links</legend>
      <div class="row">
        <Select
          label="Tag"
          name="with_tag"
          none="Choose a tag"
          value={chosen?.tag}
          problem={problem}
          options={tags.map(({ id, name }) => [id, name] as const)}
        />
        <button type="submit" name="change" value="tag">
          Add the tag
        </button>
        <button type="submit" name="change" value="untag">
          Take the tag off
        </button>
      </div>
      <div class="row">
        <Select
          label="Activity Group"
          name="to_group"
          none="Choose a group"
          value={chosen?.group}
          problem={problem}
          options={[[noGroup, "No Activity Group"], ...groups.map(({ id, name }) => [id, name] as const)]}
        />
        <button type="submit" name="change" value="move">
          Move
        </button>
      </div>
      <div class="row">
        <button type="submit" name="change" value="archive">
          Archive
        </button>
        <button type="submit" name="change" value="restore">
          Restore
        </button>
      </div>
    </fieldset>
  );
};

/** Links as a table; for who may change them, with boxes to choose many and what can be done with those. */
export const LinkTable = ({
  workspace,
  links,
  clicks,
  days,
  takenDown,
  change,
}: {
  workspace: string;
  links: readonly Link[];
  clicks: ReadonlyMap<string, readonly number[]> | undefined;
  days: string;
  /** The ids of those whose visitors see that they are taken down. */
  takenDown: ReadonlySet<string>;
  change: ManyForm | undefined;
}) => {
  const table = (
    <table class="list links">
      <caption class="unseen">Links</caption>
      <thead>
        <tr>
          {change && (
            <th scope="col">
              <span class="unseen">Choose</span>
            </th>
          )}
          <th scope="col">Link</th>
          <th scope="col">Group</th>
          <th scope="col">Tags</th>
          <th scope="col">Status</th>
          <th scope="col">Clicks, {days} days</th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <Row
            workspace={workspace}
            link={link}
            clicks={clicks?.get(link.id)}
            days={days}
            isTakenDown={takenDown.has(link.id)}
            chosen={change && (change.chosen?.ids.includes(link.id) ?? false)}
          />
        ))}
      </tbody>
    </table>
  );
  if (change === undefined) return table;
  return (
    <form class="stack" method="post" action={change.action} aria-label="Change many links">
      <label class="row" hidden>
        <input type="checkbox" data-ticks="ids" />
        Choose all links of this page
      </label>
      {table}
      <ChangeBar {...change} />
    </form>
  );
};
