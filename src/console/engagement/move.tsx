import type { Asset } from "../../resources/engagement/service";
import { href } from "../href";
import type { OwnField } from "../shell/form";
import { FindField } from "../shell/picker";
import { Card } from "../shell/text";

/** The form that moves an asset to another link, with what that means for prints. */
export const MoveForm = ({ asset, workspace, own }: { asset: Asset; workspace: string; own: OwnField }) => (
  <Card id="move" title="Move to another link">
    <form method="post" action={href.moveAsset(workspace, asset.id)} class="fields">
      <p>
        What is printed stays valid: the code {asset.code} opens the other link from then on, everywhere
        within minutes. A print of the slug /{asset.link.slug} itself still opens that link.
      </p>
      <FindField
        {...own("link")}
        label="Another link"
        hint="Its slug, short link or ID."
        from={href.suggestLinks(workspace)}
        required
      />
      <div>
        <button type="submit">Move</button>
      </div>
    </form>
  </Card>
);
