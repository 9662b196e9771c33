import type { Hono } from "hono";
import { typedHost } from "../../resources/domains/schema";
import {
  addDomain,
  type Domain,
  listDomains,
  MAX_DOMAINS,
  setPrimaryDomain,
} from "../../resources/domains/service";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Field, fieldsOf, Submit } from "../shell/form";
import type { Form } from "../shell/form-body";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Table } from "../shell/table";
import { Badge, Card, count } from "../shell/text";
import { nextStepOf } from "./next-step";

const DomainTable = ({ domains, workspace }: { domains: readonly Domain[]; workspace: string }) => (
  <Table
    caption={count(domains.length, "domain")}
    rows={domains}
    columns={[
      {
        heading: "Host",
        isName: true,
        cell: ({ host }) => <a href={href.domain(workspace, host)}>{host}</a>,
      },
      { heading: "State", cell: ({ state }) => <Badge of={state} /> },
      { heading: "New links", cell: (domain) => (domain.is_primary ? <strong>Are made here</strong> : "–") },
      { heading: "What is left to do", cell: (domain) => nextStepOf(domain) ?? "Nothing" },
    ]}
  />
);

/** Takes new links back from the primary domain. */
const ShortHost = ({ workspace, host }: { workspace: string; host: string }) => (
  <Card id="short-host" title="The host of this service">
    <p>
      New links are made on your primary domain. They can be made on <code>{host}</code> again. Existing links
      stay where they are.
    </p>
    <form method="post" action={href.primaryDomain(workspace, host)}>
      <button type="submit">Make new links on {host}</button>
    </form>
  </Card>
);

async function showDomains(
  c: PageContext,
  { typed = {}, problem }: { typed?: Form["fields"]; problem?: Problem } = {},
): Promise<Response> {
  const { ctx, workspace } = c.var;
  const domains = await listDomains(ctx);
  const own = fieldsOf(typed, problem);
  return showPage(
    c,
    {
      title: "Domains",
      section: "domains",
      crumbs: [{ label: ctx.workspace.name, href: href.workspace(workspace) }],
      ...(problem && { status: problem.status }),
    },
    <>
      <Refusal problem={problem} />
      <p>
        Short links on a host of your own, such as <code>go.example.com</code>, beside those on{" "}
        <code>{ctx.config.shortHost}</code>.
      </p>
      {domains.length > 0 && <DomainTable domains={domains} workspace={workspace} />}
      <Card id="new-domain" title="Add a domain">
        <form method="post" action={href.domains(workspace)} class="fields narrow">
          <Field
            {...own("host")}
            label="Host"
            hint="A host that has no website yet. You need access to its DNS records."
            required
            attributes={{ inputmode: "url", spellcheck: "false", autocapitalize: "none" }}
          />
          <Submit label="Add" />
        </form>
        <p class="hint">A workspace has at most {MAX_DOMAINS}.</p>
      </Card>
      {domains.some((domain) => domain.is_primary) && (
        <ShortHost workspace={workspace} host={ctx.config.shortHost} />
      )}
    </>,
  );
}

/** The hosts of the workspace's short links. */
export function registerDomains(app: Hono<ConsoleEnv>): void {
  app.get(paths.domains, ownersOnly, (c) => showDomains(c));

  app.post(paths.domains, ownersOnly, async (c) => {
    const { fields } = await readForm(c);
    try {
      const { host } = await addDomain(c.var.ctx, checked(typedHost, fields).host, false);
      return redirectWithNotice(c, href.domain(c.var.workspace, host), `${host} is added.`);
    } catch (error) {
      return showDomains(c, { typed: fields, problem: toProblem(error) });
    }
  });

  app.post(paths.primaryDomain, ownersOnly, async (c) => {
    try {
      const { host } = await setPrimaryDomain(c.var.ctx, c.req.param("host"));
      return redirectWithNotice(c, href.domains(c.var.workspace), `New links are made on ${host}.`);
    } catch (error) {
      return showDomains(c, { problem: toProblem(error) });
    }
  });
}
