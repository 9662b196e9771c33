import { etagOf } from "../../lib/etag";
import { supplyScheme } from "../../lib/supplied-scheme";
import { getAppFiles } from "../../resources/domains/app-files";
import { addressesOfDomain, setDomainAddresses } from "../../resources/domains/domain-addresses";
import { domainAddresses } from "../../resources/domains/domain-schema";
import { checkDomain, type Domain, getDomain } from "../../resources/domains/domain-service";
import { removeDomain } from "../../resources/domains/remove-domain";
import { ButtonLink, Copied, PostButton } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { EtagField, withEtag } from "../shell/edit-form";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { Field, PostForm, Submit } from "../shell/post-form";
import { Badge, Card, Fact, Time } from "../shell/text";
import { AppsCard } from "./apps-card";
import { nextStepOf } from "./domains-page";

const CheckNow = ({ host }: { host: string }) => (
  <PostButton to={here.checkDomain(host)} label="Check now" kind="primary" />
);

const Proof = ({ host, proof }: { host: string; proof: NonNullable<Domain["proof"]> }) => (
  <Card id="proof" title="Prove that the domain is yours">
    <p>
      Add this record where the DNS of {host} is managed, or send it to whoever manages it. Then check: it can
      take some minutes until the record is found.
    </p>
    <dl class="facts">
      <Fact name="Type">{proof.type}</Fact>
      <Fact name="Name">
        <Copied text={proof.name} label="Copy the name" />
      </Fact>
      <Fact name="Value">
        <Copied text={proof.value} label="Copy the value" />
      </Fact>
    </dl>
    <CheckNow host={host} />
    <p class="hint">
      You can delete the record once it is found. After that the operator of this service connects the domain.
    </p>
  </Card>
);

const Addresses = ({ domain: { host, root_url, not_found_url }, etag }: { domain: Domain; etag: string }) => (
  <Card id="addresses" title="Visitors who ask for no link, or an unknown one">
    <PostForm action={here.domain(host)} initial={{ root_url, not_found_url }} class="fields narrow">
      <EtagField etag={etag} saved={[root_url, not_found_url].map((url) => url ?? "none").join(", ")} />
      <Field
        name="root_url"
        label={`Where ${host} alone leads`}
        type="address"
        hint="If empty, visitors see a short page about this service."
      />
      <Field
        name="not_found_url"
        label="Where unknown links lead"
        type="address"
        hint="If empty, visitors see a page that says that there is no such link."
      />
      <Submit label="Save" />
    </PostForm>
  </Card>
);

export async function showDomain(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const domain = await getDomain(ctx, c.req.param("host"));
  const { host, state, proof, is_primary: isPrimary, failing_since: since } = domain;
  const isProved = state !== "pending";
  const files = await getAppFiles(ctx, host);
  return c.render(
    <Page title={host} section="domains" crumbs={["domains"]} class="stack">
      <p>
        <Badge of={since === null ? state : "failing"} /> {nextStepOf(domain) ?? "Links on this domain work"}.
        {isPrimary && " New links are made here."}
      </p>
      {proof !== null && <Proof host={host} proof={proof} />}
      {state === "verified" && (
        <Card id="routing" title="The domain does not lead here yet">
          <p>
            The domain is yours, but does not lead to this service yet. Ask the operator of this service to
            deploy it again. You can already create links on it.
          </p>
          <CheckNow host={host} />
        </Card>
      )}
      {since !== null && (
        <Card id="failing" title="The domain no longer leads here">
          <p>
            The domain has not led here since <Time at={since} exact />. Check that it is still registered and
            that its DNS record is there.
          </p>
          <CheckNow host={host} />
        </Card>
      )}
      {isProved && (
        <p class="row">
          <ButtonLink
            to={href.newLink(workspace, { domain: host })}
            label={`New link on ${host}`}
            isPrimary
          />
          <a href={href.links(workspace, { domain: host, status: "all" })}>Links on this domain</a>
        </p>
      )}
      {isProved && <Addresses domain={domain} etag={await etagOf(addressesOfDomain(domain))} />}
      {isProved && <AppsCard host={host} files={files} etag={await etagOf(files)} />}
      {isProved && !isPrimary && (
        <Dangerous
          summary="Make new links on this domain"
          consequence={`New links, imports and codes of posters are made on ${host} unless another domain is chosen. Existing ones stay where they are. If a program makes short links by writing a slug behind the old domain, change it first to read short_url from the API.${state === "verified" ? " The domain does not lead here yet, so new links do not work until it does." : ""}`}
          action={href.primaryDomain(workspace, host)}
          button={`Make new links on ${host}`}
        />
      )}
      <Dangerous
        summary="Remove this domain"
        consequence="All short links on it stop working. You can add it again. Nobody else can, unless the operator releases it."
        action={href.removeDomain(workspace, host)}
        button={`Remove ${host}`}
      />
    </Page>,
  );
}

export async function saveAddresses(c: PageContext, form: Form): Promise<Response> {
  const { root_url = "", not_found_url = "" } = form.fields;
  const input = { root_url: supplyScheme(root_url), not_found_url: supplyScheme(not_found_url) };
  const ctx = withEtag(c.var.ctx, form);
  const { host } = await setDomainAddresses(ctx, c.req.param("host"), checked(domainAddresses, input));
  return redirectWithNotice(c, href.domain(c.var.workspace, host), "The addresses are saved.");
}

const FOUND: Readonly<Record<Domain["state"], string>> = {
  pending: "The record has not been found yet. Check its name and value, and try again in some minutes.",
  verified: "The domain is yours. It does not lead to this service yet.",
  active: "Links on this domain work.",
  other: "The state of the domain has not changed.",
};

export async function checkHost(c: PageContext): Promise<Response> {
  const { host, state, failing_since: since } = await checkDomain(c.var.ctx, c.req.param("host"));
  const found = since === null ? FOUND[state] : "The domain still does not lead to this service.";
  return redirectWithNotice(c, href.domain(c.var.workspace, host), found);
}

export async function removeHost(c: PageContext): Promise<Response> {
  const { host } = await removeDomain(c.var.ctx, c.req.param("host"));
  return redirectWithNotice(c, href.domains(c.var.workspace), `${host} is removed.`);
}
