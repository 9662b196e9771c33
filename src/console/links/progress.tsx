import { Button } from "../shell/button";
import { HiddenFields } from "../shell/form";
import { Page } from "../shell/layout";
import type { PageContext } from "../shell/request";

interface Progress {
  action: string;
  /** The page to return to if the person stops. */
  back: string;
  fields: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** What has been done so far. */
  text: string;
}

/** A change of many links that takes several requests. The script sends the next one by itself. */
export const showProgress = (
  c: PageContext,
  { action, back, fields, text }: Progress,
): Response | Promise<Response> =>
  c.render(
    <Page title="There are more links" section="links" class="narrow">
      <p role="status">{text}</p>
      <p>Many links are changed in steps, and this one is done. Those that remain are as they were.</p>
      <form class="row" method="post" action={action} data-continues="">
        <HiddenFields fields={fields} />
        <Button label="Continue" kind="primary" />
        <a href={back}>Stop here</a>
      </form>
    </Page>,
  );
