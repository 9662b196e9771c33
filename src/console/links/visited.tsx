import type { GroupLink } from "../../analytics/group-report";
import { percentage } from "../clicks/scale";
import { ShareBar } from "../clicks/shares";
import { highestOf, Trend } from "../clicks/trend";
import { href } from "../href";
import { number } from "../shell/text";
import { CopyButton, nameOf, UserText } from "./link-text";

export type VisitedLink = GroupLink;

/** A share of all, or a dash if all are not counted. */
const Share = ({ visits, whole }: { visits: number; whole: number | null }) =>
  whole === null ? (
    <>–</>
  ) : (
    <>
      {percentage(visits, whole)}
      <ShareBar value={visits} whole={whole} />
    </>
  );

/** Links with their clicks and scans in a range, their share of all, and their trend. The trends have one scale. */
export const VisitedLinks = ({
  workspace,
  caption,
  links,
  whole,
}: {
  workspace: string;
  caption: string;
  links: readonly VisitedLink[];
  /** The clicks and scans of all links; null if they are not counted. */
  whole: number | null;
}) => {
  const highest = highestOf(links);
  const hasChannels = links.some(({ channel }) => channel !== null);
  return (
    <table class="list shares">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Link</th>
          {hasChannels && <th scope="col">Channel</th>}
          <th scope="col">
            <span class="unseen">Trend</span>
          </th>
          <th scope="col" class="number">
            Clicks
          </th>
          <th scope="col" class="number">
            Scans
          </th>
          <th scope="col" class="number">
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <tr>
            <th scope="row">
              <a href={href.link(workspace, link.id)}>
                <UserText text={nameOf(link)} />
              </a>
              <div class="soft small">
                <span data-by-hand="">{link.short_url}</span> <CopyButton text={link.short_url} />
              </div>
            </th>
            {hasChannels && (
              <td data-label={link.channel === null ? undefined : "Channel"}>
                {link.channel !== null && <UserText text={link.channel} />}
              </td>
            )}
            <td>{link.clicks + link.scans > 0 && <Trend points={link.points} highest={highest} />}</td>
            <td data-label="Clicks" class="number">
              {number(link.clicks)}
            </td>
            <td data-label="Scans" class="number">
              {number(link.scans)}
            </td>
            <td data-label="Share" class="number">
              <Share visits={link.clicks + link.scans} whole={whole} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
