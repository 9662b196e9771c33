import type { Hono } from "hono";
import { href } from "./href";
import { showPage } from "./layout";
import type { ConsoleEnv } from "./request";
import { Empty } from "./text";

/** The way to a person's workspaces: into the only one, or a choice. */
export function registerHome(app: Hono<ConsoleEnv>): void {
  app.get("/app", (c) => {
    const open = c.var.person.memberships.filter(({ suspended }) => !suspended);
    const [only] = open;
    if (only !== undefined && open.length === 1) return c.redirect(href.links(only.workspace.slug), 303);
    return showPage(
      c,
      { title: "Workspaces" },
      open.length === 0 ? (
        <Empty>
          <p>Nobody has added {c.var.person.email} to a workspace. Ask an owner of one, or the operator.</p>
        </Empty>
      ) : (
        <ul class="cards">
          {open.map(({ workspace, role }) => (
            <li class="card">
              <h2>
                <a href={href.links(workspace.slug)}>{workspace.name}</a>
              </h2>
              <p>You are its {role}.</p>
            </li>
          ))}
        </ul>
      ),
    );
  });

  app.get("/app/:workspace", (c) => c.redirect(href.links(c.req.param("workspace")), 303));
}
