import { mailSignInLink } from "../../access/mail";
import { newMember } from "../../access/schema";
import { notFound, tooManyAttempts } from "../../errors";
import { addressOf, countOne } from "../../http/rate-limit";
import { Field, PostForm, Submit } from "../shell/form";
import { href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/request";
import { serviceContext } from "../shell/service-context";
import { assertUnderLimit } from "./session";

export const SignInMailForm = () => (
  <PostForm action={href.mailSignIn()} class="stack">
    <Field
      name="email"
      label="Your e-mail address"
      type="email"
      required
      attributes={{ autocomplete: "email" }}
    />
    <Submit label="Send me a sign-in link" />
  </PostForm>
);

const NOTICE =
  "If somebody has this address here, a sign-in link is on its way. It works for 15 minutes. An address gets at most five mails an hour.";

/** Answers alike for every address: whether it is a member's is looked up behind the answer. */
export async function sendSignInLink(c: PageContext, { fields }: Form): Promise<Response> {
  const ctx = serviceContext(c);
  if (ctx.config.mail === null) throw notFound();
  const { email } = checked(newMember.pick({ email: true }), fields);
  assertUnderLimit(c);
  if (!(await countOne(c.env, "AUTH_FAILURE_RATE", addressOf(c.req.raw)))) throw tooManyAttempts();
  ctx.waitUntil(mailSignInLink({ ...ctx, db: ctx.backgroundDb ?? ctx.db }, email));
  return redirectWithNotice(c, href.signIn(), NOTICE);
}
