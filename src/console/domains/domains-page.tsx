import { typedHost } from "../../resources/domains/domain-schema";
import {
  addDomain,
  type Domain,
  listDomains,
  MAX_DOMAINS,
  setPrimaryDomain,
} from "../../resources/domains/domain-service";
import { PostButton } from "../shell/button";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { Field, PostForm, Submit } from "../shell/post-form";
import { Table } from "../shell/table";
import { Badge, Card, count } from "../shell/text";

const STEPS: Readonly<Record<Domain["state"], string | undefined>> = {
  pending: "Add the DNS record that proves that the host is yours",
  verified: "Ask the operator of this service to connect the host",
  active: undefined,
  other: undefined,
};

/** What is left to do until links on the host work; undefined if they do. */
export const nextStepOf = ({ state, failing_since: since }: Domain): string | undefined =>
  since === null ? STEPS[state] : "The host no longer leads here: check its DNS";

export async function showDomains(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { shortHost } = ctx.config;
  const domains = await listDomains(ctx);
  return c.render(
    <Page title="Domains" section="domains">
      <p>
        Short links on a host of your own, such as <code>go.example.com</code>, beside those on{" "}
        <code>{shortHost}</code>.
      </p>
      {domains.length > 0 && (
        <Table
          caption={count(domains.length, "domain")}
          rows={domains}
          columns={[
            {
              heading: "Host",
              isName: true,
              cell: ({ host }) => <a href={href.domain(workspace, host)}>{host}</a>,
            },
            {
              heading: "State",
              cell: ({ state, failing_since: since }) => <Badge of={since === null ? state : "failing"} />,
            },
            {
              heading: "New links",
              kind: "labelled",
              cell: (domain) => domain.is_primary && <strong>Are made here</strong>,
            },
            {
              heading: "What is left to do",
              label: "Left to do",
              kind: "labelled",
              cell: (domain) => nextStepOf(domain) ?? "Nothing",
            },
          ]}
        />
      )}
      <Card id="new-domain" title="Add a domain">
        <PostForm action={href.domains(workspace)} class="fields narrow">
          <Field
            name="host"
            label="Host"
            type="address"
            hint="A host that has no website yet. You need access to its DNS records."
            required
          />
          <Submit label="Add" />
        </PostForm>
        <p class="hint">A workspace has at most {MAX_DOMAINS}.</p>
      </Card>
      {domains.some((domain) => domain.is_primary) && (
        <Card id="short-host" title="The host of this service">
          <p>
            New links are made on your primary domain. They can be made on <code>{shortHost}</code> again.
            Existing links stay where they are.
          </p>
          <PostButton
            to={href.primaryDomain(workspace, shortHost)}
            label={`Make new links on ${shortHost}`}
          />
        </Card>
      )}
    </Page>,
  );
}

export async function addHost(c: PageContext, { fields }: Form): Promise<Response> {
  const { host } = await addDomain(c.var.ctx, checked(typedHost, fields).host, false);
  return redirectWithNotice(c, href.domain(c.var.workspace, host), `${host} is added.`);
}

export async function makePrimary(c: PageContext): Promise<Response> {
  const { host } = await setPrimaryDomain(c.var.ctx, c.req.param("host"));
  return redirectWithNotice(c, href.domains(c.var.workspace), `New links are made on ${host}.`);
}
