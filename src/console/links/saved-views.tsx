import { createView, removeView, type SavedView, savedViewInput } from "../../resources/views/views";
import { Choice, PostButton } from "../shell/button";
import { here, href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import { checked, currentPage, type Form, type PageContext, readQuery } from "../shell/page-request";
import { Field, PostForm, Submit } from "../shell/post-form";
import { quoted } from "../shell/text";
import { type LinksList, linksQuery, toLinksQuery } from "./links-query";

/** The filters and the order of a list as they are saved. */
const toFilters = (query: LinksList) => ({
  ...toLinksQuery(query),
  page: undefined,
  after: undefined,
  to_group: undefined,
  back: undefined,
});

/** The text of them, which is the same for the same list. */
const toText = (query: LinksList): string => href.links("", toFilters(query)).split("?")[1] ?? "";

/** The saved views to choose from, and for editors the forms that save or remove the one that is shown. */
export const SavedViews = ({ views, query }: { views: readonly SavedView[]; query: LinksList }) => {
  const text = toText(query);
  const shown = views.find((view) => view.query === text);
  const { isEditor } = currentPage().var;
  const action = here.linkViews(toFilters(query));
  if (views.length === 0 && (text === "" || !isEditor)) return null;
  return (
    <nav class="row" aria-label="Saved views">
      {views.length > 0 && (
        <ul class="choices">
          {views.map((view) => (
            <Choice href={`${here.links()}?${view.query}`} isCurrent={view === shown}>
              <bdi>{view.name}</bdi>
            </Choice>
          ))}
        </ul>
      )}
      {isEditor && shown !== undefined && (
        <PostButton to={here.linkView(shown.id)} label="Remove this view" kind="quiet" />
      )}
      {isEditor && shown === undefined && text !== "" && (
        <details class="dropdown" open={currentPage().req.path === here.linkViews()}>
          <summary class="button">Save this view</summary>
          <PostForm action={action} class="card fields">
            <Field name="name" label="Name of the view" required attributes={{ maxlength: 100 }} />
            <Submit label="Save the view" />
          </PostForm>
        </details>
      )}
    </nav>
  );
};

/** Saves the filters and the order of the list in the address. */
export async function saveView(c: PageContext, { fields }: Form): Promise<Response> {
  const query = readQuery(linksQuery, c);
  const input = checked(savedViewInput, { name: fields["name"], query: toText(query) });
  await createView(c.var.ctx, input);
  const to = href.links(c.var.workspace, toFilters(query));
  return redirectWithNotice(c, to, `The view ${quoted(input.name)} is saved for everybody in the workspace.`);
}

export async function deleteView(c: PageContext): Promise<Response> {
  const { name, query } = await removeView(c.var.ctx, c.req.param("id"));
  // Its list stays, from where it can be saved again.
  const list = `${href.links(c.var.workspace)}?${query}`;
  return redirectWithNotice(c, list, `The view ${quoted(name)} is removed.`);
}
