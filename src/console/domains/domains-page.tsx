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
  pending: "Add the DNS record that proves that the domain is yours",
  verified: "Ask the operator of this service to connect the domain",
  active: undefined,
  other: undefined,
};

/** What is left to do until links on the host work; undefined if they do. */
export const nextStepOf = ({ state, failing_since: since }: Domain): string | undefined =>
  since === null ? STEPS[state] : "The domain no longer leads here: check its DNS";

export async function showDomains(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { shortHost } = ctx.config;
  const domains = await listDomains(ctx);
  const primary = domains.find((domain) => domain.is_primary)?.host ?? shortHost;
  return c.render(
    <Page title="Domains" section="domains">
      <p>
        Short links on a domain of your own, such as <code>go.example.com</code>, beside those on{" "}
        <code>{shortHost}</code>. New links are made on <code>{primary}</code>, unless another is chosen.
      </p>
      {domains.length > 0 && (
        <Table
          caption={count(domains.length, "domain")}
          rows={domains}
          columns={[
            {
              heading: "Domain",
              isName: true,
              cell: ({ host, is_primary: isPrimary }) => (
                <>
                  <a href={href.domain(workspace, host)}>{host}</a>
                  {isPrimary && <span class="block soft small">New links are made here</span>}
                </>
              ),
            },
            {
              heading: "State",
              cell: ({ state, failing_since: since }) => <Badge of={since === null ? state : "failing"} />,
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
            label="Domain"
            type="address"
            hint="One that has no website yet, such as go.example.com. You, or somebody you ask, must be able to change its DNS records."
            required
          />
          <Submit label="Add the domain" />
        </PostForm>
        <p class="hint">A workspace has at most {MAX_DOMAINS}.</p>
      </Card>
      {domains.some((domain) => domain.is_primary) && (
        <Card id="short-host" title={`New links on ${shortHost} again`}>
          <p>
            New links are made on <code>{primary}</code>. They can be made on <code>{shortHost}</code> again.
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
