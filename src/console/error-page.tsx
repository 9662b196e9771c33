import type { ServiceError } from "../errors";
import { fieldText } from "./changes/field-change";
import { formEncoding } from "./shell/form-fields";
import { href, paths } from "./shell/href";
import { type KnownSender, Page } from "./shell/layout";
import { currentPage, type PageContext, readForm, type SentFields } from "./shell/page-request";
import { Submit } from "./shell/post-form";
import { Fact } from "./shell/text";

const TITLES: Readonly<Record<number, string>> = {
  401: "Signed out",
  403: "Not allowed",
  404: "Not found",
  413: "Too large",
  422: "That does not work",
  429: "Too many attempts",
  503: "Please try again",
};

/** A refused form is shown with its fields, so that nothing typed is lost. */
export async function showError(c: PageContext, error: ServiceError): Promise<Response> {
  const { status, body, code, headers } = error;
  c.var.trace.refusal = code;
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  c.status(status);
  const fields = await findFieldsToResend(c, status);
  const { membership }: KnownSender = c.var;
  const isMissing = status === 404 && membership !== undefined;
  return c.render(
    <Page
      title={TITLES[status] ?? "Something went wrong"}
      class={fields === undefined ? "narrow card" : "narrow"}
      saysRefusal
    >
      <p>{body.message}</p>
      {fields === undefined ? (
        isMissing && (
          <p class="soft">
            It may have been deleted, or the address is not complete. The search above finds archived links
            too.
          </p>
        )
      ) : (
        <ResendForm fields={fields} isSignedOut={status === 401} />
      )}
    </Page>,
  );
}

/** After these, the same form may succeed later or after signing in. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([401, 429, 500, 503]);

/**
 * The fields of a form that failed but may be sent again. The sender may be signed out, so files and multipart bodies that
 * have not been read yet stay unread.
 */
async function findFieldsToResend(c: PageContext, status: number): Promise<SentFields | undefined> {
  const isForm = c.req.method === "POST" && c.req.path !== paths.signIn;
  if (!isForm || !RETRYABLE_STATUSES.has(status)) return undefined;
  const encoding = formEncoding(c.req.header("Content-Type") ?? "");
  if (c.var.form === undefined && encoding?.type === "urlencoded") {
    await readForm(c).catch(() => undefined);
  }
  const { sentFields = [] } = c.var.form ?? {};
  return sentFields.length === 0 ? undefined : sentFields;
}

/** Fields that the page put into the form itself. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set(["was", "etag", "version", "token", "form", "open"]);

/** Shows what the person typed, to send it again or to copy it. */
const ResendForm = ({ fields, isSignedOut }: { fields: SentFields; isSignedOut: boolean }) => {
  const { pathname, search } = new URL(currentPage().req.url);
  const shown = fields.filter(([name, value]) => !HIDDEN_FIELDS.has(name) && value.trim() !== "");
  return (
    <form class="stack card" method="post" action={pathname + search} aria-labelledby="posted">
      <h2 id="posted">What you have sent</h2>
      {shown.length > 0 && (
        <dl class="facts">
          {shown.map(([name, value]) => (
            <Fact name={fieldText(name)}>
              <bdi>{value}</bdi>
            </Fact>
          ))}
        </dl>
      )}
      {fields.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {isSignedOut && (
        <p>
          <a href={href.home()} target="_blank" rel="noopener">
            Sign in in another tab
          </a>
          , then come back to this one and send it again. Or copy what you need.
        </p>
      )}
      <Submit label="Send it again" />
    </form>
  );
};
