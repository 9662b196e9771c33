import { fieldText } from "./changes/change";
import { Submit } from "./shell/form";
import { formEncoding } from "./shell/form-fields";
import { href, paths } from "./shell/href";
import { type PageContext, readForm, type SentFields } from "./shell/request";
import { Fact } from "./shell/text";

/** Fields that the page put into the form itself. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set(["was", "etag", "version", "token", "form", "open"]);

/** After these, the same form may succeed later or after signing in. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([401, 429, 500, 503]);

/**
 * The fields of a form that failed but may be sent again. The sender may be signed out, so files and multipart bodies that
 * have not been read yet stay unread.
 */
export async function findFieldsToResend(c: PageContext, status: number): Promise<SentFields | undefined> {
  const isForm = c.req.method === "POST" && c.req.path !== paths.signIn;
  if (!isForm || !RETRYABLE_STATUSES.has(status)) return undefined;
  const encoding = formEncoding(c.req.header("Content-Type") ?? "");
  if (c.var.form === undefined && encoding?.type === "urlencoded") {
    await readForm(c).catch(() => undefined);
  }
  const { sentFields = [] } = c.var.form ?? {};
  return sentFields.length === 0 ? undefined : sentFields;
}

/** Shows what the person typed, to send it again or to copy it. */
export const ResendForm = ({
  action,
  fields,
  isSignedOut,
}: {
  action: string;
  fields: SentFields;
  isSignedOut: boolean;
}) => {
  const shown = fields.filter(([name, value]) => !HIDDEN_FIELDS.has(name) && value.trim() !== "");
  return (
    <form class="stack card" method="post" action={action} aria-labelledby="posted">
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
