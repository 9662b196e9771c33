import { type ChangeLinks, changeLinksSchema } from "../../resources/links/change-schema";
import { previewReplacement } from "../../resources/links/replace-destination";
import { FromTo } from "../changes/change";
import { Button } from "../shell/button";
import { sayOf } from "../shell/error-labels";
import { HiddenFields } from "../shell/form";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/request";
import { Table } from "../shell/table";
import { count, number } from "../shell/text";
import { groupByReason, nameReplacement } from "./bulk-notice";
import { type LinksList, toLinksQuery, toListQuery } from "./query";

/** The button that shows what a replacement would do. */
export const PREVIEW = "preview";

const MAX_SHOWN = 10;

/** What a replacement would do, with the button that does it. Nothing is changed yet. */
export async function showReplacement(
  c: PageContext,
  query: LinksList,
  form: Form,
  input: Omit<ChangeLinks, "ids">,
): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { all, left } = form.fields;
  const ids = form.all("ids");
  const of =
    all === undefined
      ? checked(changeLinksSchema, { ...input, ids })
      : toListQuery(ctx, { ...query, after: undefined });
  const { changed, refused, looked, total } = await previewReplacement(ctx, of, input);
  const without = looked - changed.length - refused.length;
  const isCut = looked < total;
  const list = toLinksQuery(query);
  return c.render(
    <Page title="Replace in destinations" section="links" class="stack">
      <p role="status">
        {changed.length === 0 ? "No link" : count(changed.length, "link")} would change by replacing{" "}
        {nameReplacement(input)}. {without > 0 && `${count(without, "link")} did not have the text.`}
        {isCut && ` Of ${number(total)} links, the newest ${number(looked)} were looked at.`}
      </p>
      {groupByReason(refused).map(({ reason, names }) => (
        <p class="warning">
          Cannot be changed: {names}. {sayOf("destination_url", reason)}
        </p>
      ))}
      {changed.length > 0 && (
        <Table
          layout="shared"
          caption={`What would change, the first ${MAX_SHOWN}`}
          rows={changed.slice(0, MAX_SHOWN)}
          columns={[
            { heading: "Link", isName: true, cell: ({ slug }) => slug },
            { heading: "Destination", cell: ({ was, will }) => <FromTo was={was} is={will} /> },
          ]}
        />
      )}
      {changed.length > MAX_SHOWN && <p class="hint">And {number(changed.length - MAX_SHOWN)} more.</p>}
      <form class="row" method="post" action={href.changeLinks(workspace, list)}>
        <HiddenFields
          fields={{ change: "replace", find: input.find, replacement: input.replacement, all, left, ids }}
        />
        {(changed.length > 0 || isCut) && (
          <Button
            label={isCut ? "Replace in all of them" : `Replace in ${count(changed.length, "link")}`}
            kind="primary"
          />
        )}
        <a href={href.links(workspace, list)}>Back to the list</a>
      </form>
    </Page>,
  );
}
