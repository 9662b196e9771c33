import type { Asset } from "../../resources/engagement/service";
import { href } from "../href";
import { FindField } from "../shell/picker";
import type { Problem } from "../shell/problem";

/** The form that moves an asset to another link, with what that means for prints. */
export const MoveForm = ({
  asset,
  workspace,
  value,
  problem,
}: {
  asset: Asset;
  workspace: string;
  value: string | undefined;
  problem: Problem | undefined;
}) => (
  <section class="card" aria-labelledby="move">
    <h2 id="move">Move to another link</h2>
    <form method="post" action={href.moveAsset(workspace, asset.id)} class="fields">
      <p>
        What is printed stays valid: the code {asset.code} opens the other link from then on, everywhere
        within minutes. A print of the slug /{asset.link.slug} itself still opens that link.
      </p>
      <FindField
        label="Another link"
        name="link"
        value={value}
        problem={problem}
        hint="Its slug, short link or ID."
        from={href.suggestLinks(workspace)}
        required
      />
      <div>
        <button type="submit">Move</button>
      </div>
    </form>
  </section>
);
