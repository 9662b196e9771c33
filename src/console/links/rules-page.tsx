import { invalid } from "../../field-errors";
import { etagOf, parseEntityTags } from "../../lib/etag";
import { check, trimmed } from "../../lib/validation";
import type { Device } from "../../lib/visitor";
import { MAX_RULES, type Rule } from "../../lib/visitor-rules";
import { findOwnLastOperation } from "../../resources/audit/audit-service";
import { findBrokenUrls } from "../../resources/destinations/health";
import { getLinkDetails } from "../../resources/links/link-details";
import { type Link, updateLinkSchema } from "../../resources/links/link-schema";
import { updateLink } from "../../resources/links/update-link";
import { ActionForm, Button } from "../shell/button";
import { KINDS, nameOfCode, namesToChoose } from "../shell/code-names";
import { sayOf } from "../shell/error-labels";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { currentPage, type Form, type PageContext } from "../shell/page-request";
import { Field, FormContext, Select, Tick } from "../shell/post-form";
import { Badge, Card, Time } from "../shell/text";
import { Destination, nameOf } from "./link-text";
import {
  DEVICE_NAMES,
  draftOfRule,
  draftsIn,
  failuresOfWords,
  type RuleDraft,
  toRuleInputs,
  USUAL_RULES,
  usualRules,
} from "./rule-form";
import { Landing, NAMES_LIST } from "./rule-landing";

const namesOfDevices = (devices: readonly string[]): string =>
  devices.map((device) => DEVICE_NAMES[device as Device]).join(" or ");

const DEVICE_CHOICES = ["ios", "android", "ios,android", "desktop", "ios,desktop", "android,desktop"].map(
  (devices) => [devices, namesOfDevices(devices.split(","))] as const,
);

const namesOf = (kind: "region" | "language", codes: readonly string[]): string =>
  codes.map((code) => nameOfCode(kind, code)).join(" or ");

/** What a rule asks of a visitor, as a sentence. */
export const Conditions = ({ rule }: { rule: Rule }) => (
  <>
    {rule.share === null ? "Visitors" : `${rule.share} of 100 visitors`}
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
  <ol class="rules">
    {link.rules.map((rule) => (
      <li>
        <Conditions rule={rule} /> → <Destination url={rule.destination_url} maxCharacters={200} />{" "}
        {broken.has(rule.destination_url) && <Badge of="broken_destination" />}
      </li>
    ))}
    <li>
      {link.rules.length === 0 ? "Everybody" : "Everybody else"} →{" "}
      <Destination url={link.destination_url} maxCharacters={200} />
    </li>
  </ol>
);

const RuleFields = ({ draft, index }: { draft: RuleDraft; index: number }) => {
  const values: Readonly<Record<string, string>> = { ...draft, place: String(index + 1) };
  const at = (name: string) => ({ name: `rules.${index}.${name}`, value: values[name] });
  const { failures = [] } = currentPage().var.problem ?? {};
  const unconditional = failures.filter(({ field }) => field === `rules.${index}`).map(sayOf);
  return (
    <fieldset>
      <legend>Rule {index + 1}</legend>
      {unconditional.length > 0 && <p class="refused">{unconditional.join(" ")}</p>}
      <Field {...at("destination_url")} label="They land on" type="address" />
      <Field
        {...at("countries")}
        label="From the countries"
        hint="Names or codes with commas between them."
        attributes={{ list: NAMES_LIST.region }}
      />
      <Select {...at("devices")} label="On" none="Any device" options={DEVICE_CHOICES} />
      <Field
        {...at("languages")}
        label="Who read"
        hint="The language that their browser prefers."
        attributes={{ list: NAMES_LIST.language }}
      />
      <Field {...at("starts_at")} label="From" type="datetime-local" />
      <Field {...at("ends_at")} label="Until" type="datetime-local" />
      <Field
        {...at("share")}
        label="Share"
        type="number"
        hint="Of a hundred visits that come to this rule, drawn anew each time."
        attributes={{ min: 1, max: 99 }}
      />
      <Field {...at("place")} label="Place" type="number" attributes={{ min: 1, step: "any" }} />
      <Tick {...at("remove")} label="Remove this rule" />
    </fieldset>
  );
};

const RulesForm = ({ link, etag, drafts }: { link: Link; etag: string; drafts: readonly RuleDraft[] }) => {
  const { problem } = currentPage().var;
  return (
    <Card id="edit" title="Change them">
      <FormContext.Provider value={{ values: {}, problem }}>
        <ActionForm method="post" action={here.linkRules(link.id)} class="fields">
          <input type="hidden" name="etag" value={etag} />
          {drafts.map((draft, index) => (
            <RuleFields draft={draft} index={index} />
          ))}
          <div class="row">
            <Button label="Save" kind="primary" />
            {drafts.length < MAX_RULES && (
              <>
                <span>Add:</span>
                {USUAL_RULES.map(([kind, label]) => (
                  <Button label={label} kind="quiet" name="add" value={kind} />
                ))}
              </>
            )}
          </div>
          <p class="hint">
            The first rule that holds is followed. Two rules with a share of 50 give 50, 25 and 25.
          </p>
        </ActionForm>
      </FormContext.Provider>
    </Card>
  );
};

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
  const add = form?.fields["add"];
  const drafts = [
    ...(form === undefined ? link.rules.map((rule) => draftOfRule(rule, zone)) : draftsIn(form)),
    ...(add === undefined ? [] : usualRules(add, ctx.now())),
  ];
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
          <RulesForm link={link} etag={etag ?? (await etagOf(link))} drafts={drafts.slice(0, MAX_RULES)} />
        )}
      </div>
      <Landing details={details} />
      <NamesToChoose />
    </Page>,
  );
}

const CODE_OF_WORD = /\.(?:countries|languages)\.\d+$/;

export async function saveRules(c: PageContext, form: Form): Promise<Response> {
  if (form.fields["add"] !== undefined) return showRules(c);
  const { ctx, workspace } = c.var;
  const drafts = draftsIn(form);
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
