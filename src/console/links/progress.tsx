import { z } from "zod";
import { isUlid } from "../../lib/ulid-text";
import type { ChangedLinks, ChangeProgress } from "../../resources/links/batch";
import { Button } from "../shell/button";
import { HiddenFields } from "../shell/form";
import { Page, redirectWithNotice } from "../shell/layout";
import type { Form, PageContext } from "../shell/request";
import { addOutcomes, type Change, describeOutcomes, NO_TALLY } from "./bulk-notice";

const countField = z.coerce.number().int().min(0).catch(0);
/** What earlier requests have done of the same change. The numbers are only shown. */
const tallyFields = z.object({ changed: countField, unchanged: countField, refused: countField });

/** Where a change of many links goes on. */
export const progressIn = ({ fields: { after = "", batch = "", left = "" } }: Form): ChangeProgress => ({
  after: after === "" ? undefined : after,
  batch: isUlid(batch) ? { id: batch.toUpperCase(), isStarted: true } : null,
  left: left === "" ? undefined : countField.parse(left),
});

interface Asked {
  change: Change;
  /** The name of what the change is about, if it is known. */
  name?: string | undefined;
  /** The address that takes the next step. */
  action: string;
  /** The page to return to at the end, or if the person stops. */
  back: string;
  /** What the form of the next step has besides its progress. */
  fields?: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Answers a change of many links: with its outcome or, if there are more links, with a form that goes on. The script sends
 * that by itself.
 */
export function answerStep(
  c: PageContext,
  form: Form,
  { outcomes, batch, next, left }: ChangedLinks,
  { change, name, action, back, fields }: Asked,
): Response | Promise<Response> {
  const earlier = tallyFields.parse({ ...NO_TALLY, ...form.fields });
  const zone = c.var.ctx.workspace.timeZone;
  const text = describeOutcomes(change, outcomes, { name, earlier, zone });
  if (next === null) return redirectWithNotice(c, back, text, batch?.id);
  const progress = { after: next, batch: batch?.id, left, ...addOutcomes(earlier, outcomes) };
  return c.render(
    <Page title="There are more links" section="links" class="narrow">
      <p role="status">{text}</p>
      <p>Many links are changed in steps, and this one is done. Those that remain are as they were.</p>
      <form class="row" method="post" action={action} data-continues="">
        <HiddenFields fields={{ ...fields, ...progress }} />
        <Button label="Continue" kind="primary" />
        <a href={back}>Stop here</a>
      </form>
    </Page>,
  );
}
