import { formEncoding } from "../lib/form-fields";
import { fieldText } from "./audit/change";
import { href } from "./href";
import type { Posted } from "./shell/form-body";
import { type PageContext, readForm } from "./shell/request";

/** What a form carries besides what a person has put in. */
const CARRIED: ReadonlySet<string> = new Set(["was", "etag", "version", "token"]);

/** What passes by itself, or by signing in. */
const PASSING: ReadonlySet<number> = new Set([401, 429, 500, 503]);

/**
 * What was sent in vain and may be sent again as it is; undefined where there is nothing to keep. Whoever sent it may not
 * be signed in, so files and multipart bodies that are not read yet stay unread.
 */
export async function postedIn(c: PageContext, status: number): Promise<Posted | undefined> {
  const isForm = c.req.method === "POST" && c.req.path !== href.signIn();
  if (!isForm || !PASSING.has(status)) return undefined;
  const encoding = formEncoding(c.req.header("Content-Type") ?? "");
  if (c.var.posted === undefined && encoding?.type === "urlencoded") {
    await readForm(c).catch(() => undefined);
  }
  const { posted } = c.var;
  return posted?.length === 0 ? undefined : posted;
}

/** A form that could not be taken: what was put in, to be sent once more, or copied. */
export const SendAgain = ({ to, posted, signedOut }: { to: string; posted: Posted; signedOut: boolean }) => {
  const shown = posted.filter(([name, value]) => !CARRIED.has(name) && value.trim() !== "");
  return (
    <form class="stack card" method="post" action={to} aria-labelledby="posted">
      <h2 id="posted">What you have sent</h2>
      {shown.length > 0 && (
        <dl class="facts">
          {shown.map(([name, value]) => (
            <>
              <dt>{fieldText(name)}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </>
          ))}
        </dl>
      )}
      {posted.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {signedOut && (
        <p>
          <a href={href.home()} target="_blank" rel="noopener">
            Sign in in another tab
          </a>
          , then come back to this one and send it again. Or copy what you need.
        </p>
      )}
      <div>
        <button type="submit" class="primary">
          Send it again
        </button>
      </div>
    </form>
  );
};
