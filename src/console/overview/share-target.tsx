import { addressIn } from "../../lib/shared-address";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import type { PageContext } from "../shell/page-request";
import { Empty } from "../shell/text";

/** What another app of a phone shares: leads to the form of a new link. Nothing is saved. */
export function takeShared(c: PageContext): Response | Promise<Response> {
  const { url, text, title } = c.req.query();
  const shared = { destination: addressIn(url, text, title), title: title === url ? "" : title };
  const open = c.var.person.memberships.filter(({ suspended, role }) => !suspended && role !== "viewer");
  const [only] = open;
  if (only !== undefined && open.length === 1)
    return c.redirect(href.newLink(only.workspace.slug, shared), 303);
  return c.render(
    <Page title="New link">
      {open.length === 0 ? (
        <Empty text="You may not create links in any of your workspaces. Ask an owner." />
      ) : (
        <ul class="cards">
          {open.map(({ workspace }) => (
            <li class="card">
              <h2>
                <a href={href.newLink(workspace.slug, shared)}>{workspace.name}</a>
              </h2>
              {shared.destination !== undefined && (
                <p>
                  Shorten <bdi>{shared.destination}</bdi>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Page>,
  );
}
