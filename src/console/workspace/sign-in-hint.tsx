import type { Context } from "../../context";

/** An argument of a shell command; quoted if it has special characters. */
const shellArgument = (text: string): string =>
  /^[\w.+@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const signInCommand = (email: string): string =>
  `npm run admin -- member sign-in --email ${shellArgument(email)}`;

/** How a new member signs in. */
export const SignInHint = ({ ctx }: { ctx: Context }) => (
  <p class="hint">
    {ctx.config.access === null ? (
      <>
        A new member comes in by a sign-in link, which works once and for 15 minutes. The operator of this
        service makes it with <code>{signInCommand("their-address@example.com")}</code>.
      </>
    ) : (
      "A new member comes in through Cloudflare Access, with this address, if its policy lets them through."
    )}
  </p>
);

/** The same for the notice after a member was added. */
export const signInNotice = (ctx: Context, email: string): string =>
  ctx.config.access === null
    ? `To come in, they need a sign-in link, which whoever operates this service makes: ${signInCommand(email)}`
    : "They come in through Cloudflare Access, with that address.";
