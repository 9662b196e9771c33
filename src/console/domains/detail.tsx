import type { Hono } from "hono";
import type { Child } from "hono/jsx";
import { supplyScheme } from "../../lib/supplied-scheme";
import { domainAddresses } from "../../resources/domains/schema";
import {
  checkDomain,
  type Domain,
  getDomain,
  removeDomain,
  setDomainAddresses,
} from "../../resources/domains/service";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { sayErrors } from "../links/error-labels";
import { Dangerous, Field, fieldsOf, Submit } from "../shell/form";
import type { Form } from "../shell/form-body";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Badge, Card, Fact } from "../shell/text";
import { nextStepOf } from "./next-step";

interface Shown {
  domain: Domain;
  workspace: string;
}

const Copied = ({ text }: { text: string }) => (
  <span class="row">
    <code>{text}</code>
    <button type="button" data-copy={text} hidden>
      <span>Copy</span>
    </button>
  </span>
);

const CheckButton = ({ domain, workspace }: Shown) => (
  <form method="post" action={href.checkDomain(workspace, domain.host)}>
    <button type="submit" class="primary">
      Check now
    </button>
  </form>
);

const Proof = ({ domain, workspace }: Shown): Child =>
  domain.proof !== null && (
    <Card id="proof" title="Prove that the host is yours">
      <p>Set this record where the DNS of the host is managed. It may take some minutes until it is found.</p>
      <dl class="facts">
        <Fact name="Type">{domain.proof.type}</Fact>
        <Fact name="Name">
          <Copied text={domain.proof.name} />
        </Fact>
        <Fact name="Value">
          <Copied text={domain.proof.value} />
        </Fact>
      </dl>
      <CheckButton domain={domain} workspace={workspace} />
      <p class="hint">It is looked for once. After that the record may go.</p>
    </Card>
  );

const Routing = ({ domain, workspace }: Shown): Child =>
  domain.state === "verified" && (
    <Card id="routing" title="Lead the host here">
      <p>
        The host is yours, but does not answer as this service yet. Tell the operator of this service: the
        next deployment routes the host, or says what is in the way. Links can be made on it already.
      </p>
      <CheckButton domain={domain} workspace={workspace} />
    </Card>
  );

const Primary = ({ domain, workspace }: Shown): Child =>
  domain.state !== "pending" &&
  !domain.is_primary && (
    <Dangerous
      summary="Make new links on this host"
      consequence={`New links, imports and codes of assets are made on ${domain.host} unless another host is chosen. Existing ones stay where they are. Programs that build addresses out of slugs must change first: they have to take the whole address of a link.${domain.state === "verified" ? " The host does not lead here yet, so new links do not work until it does." : ""}`}
      action={href.primaryDomain(workspace, domain.host)}
      button={`Make new links on ${domain.host}`}
    />
  );

const Addresses = ({
  domain,
  workspace,
  typed,
  problem,
}: Shown & { typed: Form["fields"] | undefined; problem: Problem | undefined }): Child => {
  const own = fieldsOf({ ...domain, is_primary: null, proof: null, ...typed }, problem);
  const attributes = { inputmode: "url", spellcheck: "false", autocapitalize: "none" };
  return (
    domain.state !== "pending" && (
      <Card id="addresses" title="Visitors without a link">
        <form method="post" action={href.domain(workspace, domain.host)} class="fields narrow">
          <Field
            {...own("root_url")}
            label={`Where ${domain.host} alone leads`}
            hint="Empty shows a short page."
            attributes={attributes}
          />
          <Field
            {...own("not_found_url")}
            label="Where unknown links lead"
            hint="Empty shows a page that says that there is no such link."
            attributes={attributes}
          />
          <Submit label="Save" />
        </form>
      </Card>
    )
  );
};

async function showDomain(
  c: PageContext,
  { typed, problem }: { typed?: Form["fields"]; problem?: Problem } = {},
): Promise<Response> {
  const { ctx, workspace } = c.var;
  const domain = await getDomain(ctx, c.req.param("host") ?? "");
  const { host, state } = domain;
  const shown = { domain, workspace };
  return showPage(
    c,
    {
      title: host,
      section: "domains",
      crumbs: [
        { label: ctx.workspace.name, href: href.workspace(workspace) },
        { label: "Domains", href: href.domains(workspace) },
      ],
      ...(problem && { status: problem.status }),
    },
    <div class="stack">
      <Refusal problem={problem} />
      <p>
        <Badge of={state} /> {nextStepOf(domain) ?? "Links on this host work."}
        {domain.is_primary && " New links are made here."}
      </p>
      <Proof {...shown} />
      <Routing {...shown} />
      {state !== "pending" && (
        <p class="row">
          <a class="button primary" href={href.newLink(workspace, { domain: host })}>
            New link on {host}
          </a>
          <a href={href.links(workspace, { domain: host, status: "all" })}>Its links</a>
        </p>
      )}
      <Addresses {...shown} typed={typed} problem={problem} />
      <Primary {...shown} />
      <Dangerous
        summary="Remove this domain"
        consequence="All short links on it stop working within five minutes. Nobody else can use the host until the operator releases it, and you may add it again."
        action={href.removeDomain(workspace, host)}
        button={`Remove ${host}`}
      />
    </div>,
  );
}

const FOUND: Readonly<Record<Domain["state"], string>> = {
  pending: "The record has not been found yet. Check its name and value, and try again in some minutes.",
  verified: "The host is yours. It does not lead to this service yet.",
  active: "Links on this host work.",
};

/** Leads an owner from a host to a working link. */
export function registerDomain(app: Hono<ConsoleEnv>): void {
  app.get(paths.domain, ownersOnly, (c) => showDomain(c));

  app.post(paths.domain, ownersOnly, async (c) => {
    const { fields } = await readForm(c);
    try {
      const { root_url = "", not_found_url = "" } = fields;
      const input = { root_url: supplyScheme(root_url), not_found_url: supplyScheme(not_found_url) };
      const { host } = await setDomainAddresses(
        c.var.ctx,
        c.req.param("host"),
        checked(domainAddresses, input),
      );
      return redirectWithNotice(c, href.domain(c.var.workspace, host), "The addresses are saved.");
    } catch (error) {
      return showDomain(c, { typed: fields, problem: sayErrors(toProblem(error)) });
    }
  });

  app.post(paths.checkDomain, ownersOnly, async (c) => {
    const { host, state } = await checkDomain(c.var.ctx, c.req.param("host"));
    return redirectWithNotice(c, href.domain(c.var.workspace, host), FOUND[state]);
  });

  app.post(paths.removeDomain, ownersOnly, async (c) => {
    try {
      const { host } = await removeDomain(c.var.ctx, c.req.param("host"));
      return redirectWithNotice(c, href.domains(c.var.workspace), `${host} is removed.`);
    } catch (error) {
      return showDomain(c, { problem: toProblem(error) });
    }
  });
}
