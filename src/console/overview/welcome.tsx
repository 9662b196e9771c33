import { href } from "../href";
import { Card } from "../shell/text";

/** What to do first in a workspace without links. The field above shortens the first one. */
export const Welcome = ({ workspace, isOwner }: { workspace: string; isOwner: boolean }) => (
  <Card id="welcome" title="Start here">
    <ol class="steps">
      <li>
        <strong>Shorten your first link</strong>: paste an address above, or{" "}
        <a href={href.newLink(workspace)}>choose its slug, tags and UTM values</a>.
      </li>
      <li>
        <strong>Bring the links that you have</strong>: <a href={href.imports(workspace)}>import a file</a>{" "}
        from Bitly, Dub, Short.io, Kutt, YOURLS or a spreadsheet.
      </li>
      {isOwner && (
        <li>
          <strong>Invite the others</strong>: <a href={href.members(workspace)}>invite people</a> who look or
          edit.
        </li>
      )}
    </ol>
    <p class="soft">Clicks and scans show up here within a minute.</p>
  </Card>
);
