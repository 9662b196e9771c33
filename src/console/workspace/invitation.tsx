import type { Invitation } from "../../access/invitations";
import { findSignInLink, type SignInLink } from "../../access/sign-in";
import { Copied } from "../shell/button";
import { storeCookie, takeCookie } from "../shell/cookies";
import { href } from "../shell/href";
import { currentPage, type PageContext } from "../shell/page-request";
import { Card, Time } from "../shell/text";

const INVITATION_COOKIE = "invitation";
const INVITATION_SECONDS = 60;

/** Shows an invitation on the next page. Loading that page again neither shows it nor creates another. */
export const showInvitationOnce = (c: PageContext, token: string): void =>
  storeCookie(c, INVITATION_COOKIE, token, INVITATION_SECONDS);

type ShownInvitation = SignInLink & { url: string };

/** The invitation to this workspace that was made just now; deletes its cookie. */
export async function takeInvitation(c: PageContext): Promise<ShownInvitation | undefined> {
  const token = takeCookie(c, INVITATION_COOKIE);
  if (token === undefined) return undefined;
  const { ctx } = c.var;
  const link = await findSignInLink(ctx, token);
  if (link?.workspace !== ctx.workspace.id) return undefined;
  return { ...link, url: ctx.config.baseUrl + href.signIn({ token }) };
}

export function mailText({ member, isMailed }: Pick<Invitation, "member" | "isMailed">): string {
  if (isMailed === null) return "";
  return isMailed ? ` Sent to ${member.email}.` : " The mail was not sent: write to them yourself.";
}

export const InvitationCard = ({ email, url, expires_at: at }: ShownInvitation) => (
  <Card
    id="invitation"
    title={
      <>
        Sign-in link for <bdi>{email}</bdi>
      </>
    }
  >
    <p>
      {currentPage().var.ctx.config.mail === null ? "Send it to them now: it" : "It"} is shown this once. It
      works once, until <Time at={at} exact />, and opens this workspace alone. Whoever has it signs in as
      them.
    </p>
    <Copied text={url} label="Copy the link" />
  </Card>
);

export const SignInHint = () => {
  const { access, baseUrl, mail } = currentPage().var.ctx.config;
  return access === null ? (
    <p class="hint">
      {mail === null
        ? "You get a sign-in link to copy and send to them. It works once, within seven days. This service sends no mail."
        : "They get a sign-in link by mail, and you can copy it. It works once, within seven days."}
    </p>
  ) : (
    <section class="stack" aria-label="Address">
      <p class="hint">
        They sign in through Cloudflare Access with this e-mail address, if its policy allows it. Send them
        the address:
      </p>
      <Copied text={`${baseUrl}${href.home()}`} label="Copy the address" />
    </section>
  );
};
