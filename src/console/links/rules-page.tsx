import { invalid } from "../../field-errors";
import { etagOf, parseEntityTags } from "../../lib/etag";
import { check, trimmed } from "../../lib/validation";
import type { Device } from "../../lib/visitor";
import { type Rule, toRules } from "../../lib/visitor-rules";
import { findOwnLastOperation } from "../../resources/audit/audit-service";
import { findBrokenUrls } from "../../resources/destinations/health";
import { getLinkDetails } from "../../resources/links/link-details";
import { type Link, updateLinkSchema } from "../../resources/links/link-schema";
import { updateLink } from "../../resources/links/update-link";
import { KINDS, nameOfCode, namesToChoose } from "../shell/code-names";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { Badge, Card, Time } from "../shell/text";
import { Destination, nameOf } from "./link-text";
import { RulesForm } from "./rule-fields";
import {
  changedBy,
  DEVICE_NAMES,
  draftOfRule,
  draftsIn,
  failuresOfWords,
  isEmpty,
  type RuleDraft,
  toRuleInputs,
} from "./rule-form";
import { Landing, NAMES_LIST } from "./rule-landing";

const namesOfDevices = (devices: readonly string[]): string =>
  devices.map((device) => DEVICE_NAMES[device as Device]).join(" or ");

const namesOf = (kind: "region" | "language", codes: readonly string[]): string =>
  codes.map((code) => nameOfCode(kind, code)).join(" or ");

/** What a rule asks of a visitor, as a sentence. A share is of those whom no rule before it takes. */
export const Conditions = ({ rule, isFirst }: { rule: Rule; isFirst: boolean }) => (
  <>
    {rule.share === null ? "Visitors" : `${rule.share} of 100 ${isFirst ? "" : "other "}visitors`}
    {rule.countries !== null && ` from ${namesOf("region", rule.countries)}`}
    {rule.devices !== null && ` on ${namesOfDevices(rule.devices)}`}
    {rule.languages !== null && ` who read ${namesOf("language", rule.languages)}`}
    {rule.starts_at !== null && (
      <>
        {" from "}
        <Time at={rule.starts_at} exact />
      </>
    )}
    {rule.ends_at !== null && (
      <>
        {" until "}
        <Time at={rule.ends_at} exact />
      </>
    )}
  </>
);

/** The rules of a link in their order, and where everybody else lands. */
const RuleList = ({ link, broken }: { link: Link; broken: ReadonlySet<string> }) => (
  <ol class={link.rules.length === 0 ? "landing" : "rules"}>
    {link.rules.map((rule, index) => (
      <li>
        <Conditions rule={rule} isFirst={index === 0} /> →{" "}
        <Destination url={rule.destination_url} maxCharacters={200} />{" "}
        {broken.has(rule.destination_url) && <Badge of="broken_destination" />}
      </li>
    ))}
    <li class="others">
      {link.rules.length === 0 ? "Everybody" : "Everybody else"} →{" "}
      <Destination url={link.destination_url} maxCharacters={200} />
    </li>
  </ol>
);

/** What fields of countries and languages offer. */
const NamesToChoose = () =>
  KINDS.map((kind) => (
    <datalist id={NAMES_LIST[kind]}>
      {namesToChoose(kind).map((name) => (
        <option value={name} />
      ))}
    </datalist>
  ));

export async function showRules(c: PageContext): Promise<Response> {
  const { ctx, workspace, isEditor, form, problem } = c.var;
  const details = await getLinkDetails(ctx, c.req.param("id"));
  const { link } = details;
  const broken = await findBrokenUrls(
    ctx,
    link.rules.map(({ destination_url: url }) => url),
  );
  const zone = ctx.workspace.timeZone;
  const act = form?.fields["act"] ?? "";
  const drafts = changedBy(
    form === undefined ? link.rules.map((rule) => draftOfRule(rule, zone)) : draftsIn(form),
    act,
    ctx.now(),
  );
  // A stale form is shown again with the current link above it. What was typed stays.
  const etag = problem?.status === 412 ? undefined : form?.fields["etag"];
  return c.render(
    <Page
      title={`Rules of ${nameOf(link)}`}
      section="links"
      crumbs={["links", { label: nameOf(link), href: href.link(workspace, link.id) }]}
      class="columns"
    >
      <div class="stack">
        <Card id="rules" title="Rules">
          <RuleList link={link} broken={broken} />
        </Card>
        {isEditor && (
          <RulesForm
            action={href.linkRules(workspace, link.id)}
            etag={etag ?? (await etagOf(link))}
            drafts={drafts}
            act={act}
            isFirst={link.rules.length === 0}
          />
        )}
      </div>
      <Landing details={details} tested={form === undefined ? link.rules : testedRules(drafts, zone)} />
      <NamesToChoose />
    </Page>,
  );
}

/** The rules as they would be saved; undefined if they would be refused. */
function testedRules(drafts: readonly RuleDraft[], zone: string): Rule[] | undefined {
  const input = check(updateLinkSchema, trimmed({ rules: toRuleInputs(drafts, zone) }));
  return input.ok && failuresOfWords(drafts).length === 0 ? toRules(input.value.rules ?? []) : undefined;
}

const CODE_OF_WORD = /\.(?:countries|languages)\.\d{1,4}$/;

export async function saveRules(c: PageContext, form: Form): Promise<Response> {
  if (form.fields["act"] !== undefined) return showRules(c);
  const { ctx, workspace } = c.var;
  const drafts = draftsIn(form).filter((draft) => !isEmpty(draft));
  const input = check(updateLinkSchema, trimmed({ rules: toRuleInputs(drafts, ctx.workspace.timeZone) }));
  // A word that names nothing is said in the words of the form, so the schema's failure of its code is left out.
  const others = input.ok ? [] : input.failures.filter(({ field }) => !CODE_OF_WORD.test(field));
  const failures = [...failuresOfWords(drafts), ...others];
  if (!input.ok || failures.length > 0) throw invalid(failures);
  const link = await updateLink(
    { ...ctx, ifMatch: parseEntityTags(form.fields["etag"] ?? "") },
    c.req.param("id"),
    input.value,
  );
  return redirectWithNotice(
    c,
    href.link(workspace, link.id),
    link.rules.length === 0 ? "The link has no rules any more." : "The rules are saved.",
    await findOwnLastOperation(ctx, link.id),
  );
}
