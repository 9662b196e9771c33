import { applyBeforeReport } from "../../analytics/queue";
import { UNKNOWN_DAYS } from "../../analytics/unknown-address";
import { DAY_MS } from "../../lib/time";
import { findOwnLastOperation } from "../../resources/audit/audit-service";
import { toLinkReference } from "../../resources/engagement/link-reference";
import { addSlug } from "../../resources/links/add-slug";
import { listUnknown, MAX_SHOWN_UNKNOWN } from "../../resources/unknown-addresses/list-unknown";
import { dayName } from "../clicks/dates";
import { ActionForm, Button } from "../shell/button";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { FindField } from "../shell/picker";
import { Field, HiddenFields, PostForm, Submit } from "../shell/post-form";
import { Table } from "../shell/table";
import { Card, count, Empty, number } from "../shell/text";

type Unknown = Awaited<ReturnType<typeof listUnknown>>["addresses"][number];

const addressOf = ({ domain, slug }: Unknown): string => `${domain}/${slug}`;

/** Leads an address to the link that was probably meant. */
const Rescue = ({ of }: { of: Unknown }) =>
  of.proposal === undefined ? null : (
    <ActionForm method="post" action={here.unknownAddresses()}>
      <HiddenFields fields={{ address: addressOf(of), link: of.proposal.slug }} />
      <Button
        label={`Lead it to /${of.proposal.slug}`}
        description={`Lead /${of.slug} to /${of.proposal.slug}`}
      />
    </ActionForm>
  );

/** Leads an address to another link. */
const LeadAnother = ({ addresses }: { addresses: readonly Unknown[] }) => (
  <Card id="lead" title="Lead an address to another link">
    <PostForm action={here.unknownAddresses()} class="fields narrow">
      <Field
        name="address"
        error="slug"
        label="Unknown address"
        type="address"
        hint="With its domain, as in the list."
        suggested={addresses.map(addressOf)}
        required
      />
      <FindField name="link" label="Link" hint="Its slug or its whole address." required />
      <Submit label="Lead it there" />
    </PostForm>
  </Card>
);

/** What people asked for on the workspace's own domains that leads nowhere. */
export async function showUnknown(c: PageContext): Promise<Response> {
  const { ctx, isEditor, problem } = c.var;
  if (problem === undefined) await applyBeforeReport(ctx);
  const { addresses, isMore } = await listUnknown(ctx);
  return c.render(
    <Page title="Unknown addresses" section="links" crumbs={["links"]} class="stack">
      <p>
        What people asked for on your own domains in the last {UNKNOWN_DAYS} days, and found nothing. Lead a
        misprint to the link that was meant: it works at once, as an old slug of that link.
      </p>
      {addresses.length === 0 ? (
        <Empty text="Nobody asked for an unknown address." />
      ) : (
        <Table
          caption={count(addresses.length, "unknown address", "unknown addresses")}
          rows={addresses}
          columns={[
            { heading: "Address", isName: true, cell: (one) => addressOf(one) },
            { heading: "This week", kind: "number", cell: ({ recent }) => number(recent) },
            { heading: `${UNKNOWN_DAYS} days`, kind: "number", cell: ({ visits }) => number(visits) },
            {
              heading: "First",
              kind: "labelled",
              cell: ({ first_day: day }) => dayName(Date.parse(day) / DAY_MS),
            },
            {
              heading: "Probably meant",
              kind: "labelled",
              cell: ({ proposal }) =>
                proposal && <a href={here.link(proposal.link)}>{proposal.title ?? `/${proposal.slug}`}</a>,
            },
            isEditor && { heading: "Rescue", kind: "labelled", cell: (one) => <Rescue of={one} /> },
          ]}
        />
      )}
      {isEditor && <LeadAnother addresses={addresses} />}
      <p class="hint">
        {isMore && `These are the ${MAX_SHOWN_UNKNOWN} that most people asked for this week. `}
        People count, bots do not. “This week” is today and the six days before, in UTC.
      </p>
    </Page>,
  );
}

/** Makes an unknown address an old slug of a link. */
export async function leadUnknown(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const address = toLinkReference(fields["address"] ?? "", ctx.config);
  const link = await addSlug(ctx, address, toLinkReference(fields["link"] ?? "", ctx.config));
  return redirectWithNotice(
    c,
    href.unknownAddresses(workspace),
    `${address} leads to ${link.short_url} now.`,
    await findOwnLastOperation(ctx, link.id),
  );
}
