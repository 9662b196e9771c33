import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
  type SessionOwner,
} from "../../access/session-list";
import { findSessionHash } from "../../access/sessions";
import { ORIGINS } from "../clicks/origins";
import { ButtonLink, PostButton } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import type { PageContext } from "../shell/page-request";
import { serviceContext } from "../shell/service-context";
import { Table } from "../shell/table";
import { count, Relative, Time } from "../shell/text";
import { forgetSession, readSession } from "./session";
import { ACCESS_SIGN_OUT } from "./sign-in";

export const ownerOf = async (c: PageContext): Promise<SessionOwner> => ({
  email: c.var.person.email,
  current: (await findSessionHash(readSession(c))) ?? "",
});

export const usesAccess = (c: PageContext): boolean => serviceContext(c).config.access !== null;

const nameOf = ({ device }: Session): string => device ?? "Unknown device";

const HEADING = {
  title: "Your sessions",
  crumbs: [{ label: "Workspaces", href: href.home() }],
};

/** With Cloudflare Access this service has no sessions. */
const showAccess = (c: PageContext): Response | Promise<Response> =>
  c.render(
    <Page {...HEADING} class="narrow card">
      <p>
        You sign in through Cloudflare Access, as <bdi>{c.var.person.email}</bdi>. This service keeps no
        sessions of its own: those of Cloudflare Access are listed and ended there.
      </p>
      <p>
        <a href={ACCESS_SIGN_OUT}>Sign out of Cloudflare Access</a>
      </p>
    </Page>,
  );

const ENDS_ALL =
  "Every other browser is signed out with its next request, and sign-in links that have not been used stop working.";
const ENDS_LISTED =
  "Every other session in this list ends with its next request, and invitations to its workspaces that have not been used stop working.";

export async function showSessions(c: PageContext): Promise<Response> {
  if (usesAccess(c)) return showAccess(c);
  const ctx = serviceContext(c);
  const owner = await ownerOf(c);
  const { sessions, isAll } = await listSessions(ctx, owner);
  return c.render(
    <Page {...HEADING} actions={<ButtonLink to={href.passkeys()} label="Passkeys" />}>
      <p>
        Browsers in which <bdi>{c.var.person.email}</bdi> is signed in. A session ends when it has not been
        used for 30 days.
      </p>
      {!isAll && (
        <p class="hint">You came by an invitation: sessions of your other workspaces are not shown.</p>
      )}
      <Table
        caption={`${count(sessions.length, "session")}, the last used first`}
        rows={sessions}
        columns={[
          {
            heading: "Device",
            isName: true,
            cell: (session) => (
              <>
                {nameOf(session)}
                {session.isCurrent && " "}
                {session.isCurrent && <span class="badge badge-active">This one</span>}
              </>
            ),
          },
          {
            heading: "Place",
            cell: ({ country }) =>
              country === null ? <span class="soft">Unknown</span> : ORIGINS.country.label(country),
          },
          {
            heading: "Last used",
            kind: "labelled",
            cell: ({ last_used_at: at }) => (at === null ? "Not known" : <Relative at={at} />),
          },
          {
            heading: "Signed in",
            kind: "labelled",
            cell: (session) => <Time at={session.created_at} exact />,
          },
          {
            heading: <span class="unseen">Actions</span>,
            cell: (session) =>
              session.isCurrent ? (
                <PostButton to={href.signOut()} label="Sign out" />
              ) : (
                <PostButton
                  to={href.endSession(session.id)}
                  label="End"
                  description={`End the session of ${nameOf(session)}`}
                />
              ),
          },
        ]}
      />
      <p class="hint">Places are by IP address, and the last use is to the hour.</p>
      {sessions.length > 1 && (
        <Dangerous
          summary="End all other sessions"
          consequence={`${isAll ? ENDS_ALL : ENDS_LISTED} This browser stays signed in. Passkeys stay, also those that these sessions added: remove on their page what you do not know.`}
          action={href.endOtherSessions()}
          button="End all other sessions"
        />
      )}
    </Page>,
  );
}

export async function endOthers(c: PageContext): Promise<Response> {
  if (usesAccess(c)) return c.redirect(href.sessions(), 303);
  const ended = await endOtherSessions(serviceContext(c), await ownerOf(c));
  const notice = ended === 0 ? "There was no other session." : `${count(ended, "session")} ended.`;
  return redirectWithNotice(c, href.sessions(), notice);
}

export async function endOne(c: PageContext): Promise<Response> {
  if (usesAccess(c)) return c.redirect(href.sessions(), 303);
  const session = await endSession(serviceContext(c), await ownerOf(c), c.req.param("id"));
  if (!session.isCurrent) {
    return redirectWithNotice(c, href.sessions(), `${nameOf(session)}: the session has ended.`);
  }
  forgetSession(c);
  return redirectWithNotice(c, href.signIn(), "You are signed out.");
}
