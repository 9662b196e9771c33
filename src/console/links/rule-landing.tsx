import { windowStateAt } from "../../lib/active-window";
import { composeTarget } from "../../lib/link-target";
import { fromLocalMoment } from "../../lib/local-time";
import { DEVICES, type Device } from "../../lib/visitor";
import { conditionsOf, possibleRules, type Rule } from "../../lib/visitor-rules";
import type { LinkDetails } from "../../resources/links/link-details";
import { toTenth } from "../clicks/scale";
import { Button } from "../shell/button";
import { type Kind, readCodes } from "../shell/code-names";
import { here } from "../shell/href";
import { FormContext } from "../shell/labelled";
import { currentPage } from "../shell/page-request";
import { Field, Select } from "../shell/post-form";
import { Card, number } from "../shell/text";
import { Destination } from "./link-text";
import { DEVICE_NAMES, unknownWords } from "./rule-form";

/** Countries and languages to choose from, once a page: `NAMES_LIST` has the ids for fields. */
export const NAMES_LIST = { region: "countries", language: "languages" } as const;

/** What is wrong with a field that describes one visitor. */
function failuresOf(kind: Kind, field: string, text: string) {
  const unknown = unknownWords(kind, field, text);
  if (unknown.length > 0 || readCodes(kind, text).length < 2) return unknown;
  return [{ field, code: "enum" as const, message: `Enter one ${field}. A visitor has one.` }];
}

/** How many of 100 visits lead to each target: a share is of those that no rule before it takes. */
function chancesOf(
  rules: readonly (Pick<Rule, "destination_url" | "share"> | undefined)[],
  targetOf: (url: string | undefined) => string,
): Map<string, number> {
  const chances = new Map<string, number>();
  let left = 100;
  for (const rule of rules) {
    const taken = (left * (rule?.share ?? 100)) / 100;
    const target = targetOf(rule?.destination_url);
    chances.set(target, (chances.get(target) ?? 0) + taken);
    left -= taken;
  }
  return chances;
}

/** Where a visitor lands, as that visitor gets it: with the UTM parameters, or what is shown before the start and after the end. */
const Destinations = ({
  details: { link, activeWindow },
  tested,
  visitor,
  now,
}: {
  details: LinkDetails;
  tested: readonly Rule[];
  visitor: Parameters<typeof possibleRules>[1];
  now: number;
}) => {
  const end = activeWindow.ends_at;
  const endedUrl = activeWindow.is_ended_url_blocked ? null : activeWindow.ended_url;
  const parse = (time: string | null) => (time === null ? null : Date.parse(time));
  const state = windowStateAt({ startsAt: parse(link.starts_at), endsAt: parse(end) }, now);
  if (state === "early") return <p>A page that says that the link is not open yet.</p>;
  if (state === "ended" && endedUrl === null) return <p>A page that says that the link has ended.</p>;
  const rules = tested.map((rule) => ({ ...rule, ...conditionsOf(rule) }));
  const targets =
    state === "ended" && endedUrl !== null
      ? new Map([[endedUrl, 100]])
      : chancesOf(possibleRules(rules, visitor, now), (url) =>
          composeTarget(url ?? link.destination_url, link),
        );
  return (
    <>
      <ul class={targets.size === 1 ? "landing" : undefined}>
        {Array.from(targets, ([url, chance]) => (
          <li>
            <Destination url={url} />
            {targets.size > 1 && <span class="soft block">{number(toTenth(chance))} of 100 visits</span>}
          </li>
        ))}
      </ul>
      {state === "ended" && <p class="hint">The link has ended then.</p>}
      {targets.size > 1 && <p class="hint">Chance decides at each visit.</p>}
    </>
  );
};

/** The id of the form that an editor changes the rules in: they are tested as they stand there. */
export const RULES_FORM = "rules-form";

interface LandingProperties {
  details: LinkDetails;
  /** Undefined while the rules of the form would be refused. */
  tested: readonly Rule[] | undefined;
}

/** Where a visitor that is described in the form or the query would land. */
export const Landing = ({ details, tested }: LandingProperties) => {
  const c = currentPage();
  const { country = "", device = "", language = "", at = "" } = c.var.form?.fields ?? c.req.query();
  const { ctx, isEditor } = c.var;
  const ofForm = isEditor ? { form: RULES_FORM } : {};
  const typed = fromLocalMoment(at, ctx.workspace.timeZone);
  const now = typed === undefined ? ctx.now() : Date.parse(typed);
  const failures = [
    ...failuresOf("region", "country", country),
    ...failuresOf("language", "language", language),
  ];
  const visitor = {
    country: readCodes("region", country)[0] ?? null,
    device: DEVICES.find((one): one is Device => one === device) ?? "desktop",
    language: readCodes("language", language)[0] ?? null,
  };
  return (
    <Card id="landing" title="Where visitors will land">
      <FormContext.Provider value={{ values: {}, problem: { status: 422, message: "", failures } }}>
        <form class="fields" method="get" action={`${here.linkRules(details.link.id)}#landing`}>
          <Field
            name="country"
            value={country}
            label="Country"
            attributes={{ list: NAMES_LIST.region, ...ofForm }}
          />
          <Select
            name="device"
            value={device}
            label="Device"
            attributes={ofForm}
            options={DEVICES.map((one) => [one, DEVICE_NAMES[one]] as const).toReversed()}
          />
          <Field
            name="language"
            value={language}
            label="Language"
            attributes={{ list: NAMES_LIST.language, ...ofForm }}
          />
          <Field
            name="at"
            value={at}
            label="Time"
            type="datetime-local"
            hint="If empty, now."
            attributes={ofForm}
          />
          <Button
            label="Show"
            {...(isEditor && { ...ofForm, name: "act", value: "test", formnovalidate: true })}
          />
        </form>
      </FormContext.Provider>
      {tested === undefined && <p class="hint">Complete the rules, then press “Show”.</p>}
      {tested !== undefined && failures.length === 0 && (
        <Destinations details={details} tested={tested} visitor={visitor} now={now} />
      )}
    </Card>
  );
};
