import type { Person } from "../../access/sessions";
import { SIGN_IN_AGAIN } from "../auth/permissions";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import type { PageContext } from "../shell/page-request";
import { Empty, quoted } from "../shell/text";

const NoWorkspace = ({ person: { email, memberships, closed } }: { person: Person }) => (
  <Empty>
    {closed.length > 0 && <p>{SIGN_IN_AGAIN}</p>}
    {memberships.length === 0 && closed.length === 0 && (
      <p>Nobody has added {email} to a workspace. Ask an owner of one, or the operator.</p>
    )}
    {memberships.length > 0 && (
      <p>
        {memberships.map(({ workspace }) => quoted(workspace.name)).join(", ")}{" "}
        {memberships.length === 1 ? "is" : "are"} suspended. Ask the operator of this service.
      </p>
    )}
  </Empty>
);

/** The choice of a workspace. A person with one workspace is redirected to it. */
export function showWorkspaces(c: PageContext): Response | Promise<Response> {
  const open = c.var.person.memberships.filter(({ suspended }) => !suspended);
  const [only] = open;
  if (only !== undefined && open.length === 1) return c.redirect(href.workspace(only.workspace.slug), 303);
  return c.render(
    <Page title="Workspaces">
      {open.length === 0 ? (
        <NoWorkspace person={c.var.person} />
      ) : (
        <ul class="cards">
          {open.map(({ workspace, role }) => (
            <li class="card">
              <h2>
                <a href={href.workspace(workspace.slug)}>{workspace.name}</a>
              </h2>
              <p>Your role: {role}</p>
            </li>
          ))}
        </ul>
      )}
    </Page>,
  );
}
