import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { brandImage } from "../../lib/brand-mark";
import { ActionForm, Button, Undo } from "./button";
import { deleteCookie, storeCookie, takeCookie } from "./cookies";
import { guideHref } from "./guide";
import { here, href } from "./href";
import { Icon } from "./icon";
import { FindForm } from "./list-controls";
import {
  Breadcrumbs,
  type Crumb,
  isSetting,
  MainNavigation,
  type Section,
  SettingsNavigation,
} from "./navigation";
import { CurrentPage, currentPage, type PageContext } from "./page-request";
import { Breakable } from "./text";

const NOTICE_COOKIE = "notice";
const UNDO_COOKIE = "undo";
const NOTICE_SECONDS = 60;

/** Redirects after an action. The next page shows the notice once, with a button to undo the operation if one is given. */
export function redirectWithNotice(c: PageContext, to: string, notice: string, operation?: string): Response {
  storeCookie(c, NOTICE_COOKIE, notice, NOTICE_SECONDS);
  if (operation === undefined) deleteCookie(c, UNDO_COOKIE);
  else storeCookie(c, UNDO_COOKIE, operation, NOTICE_SECONDS);
  return c.redirect(to, 303);
}

/** A part of a page, for the script. */
export const renderPart = (c: PageContext, content: Child): Response | Promise<Response> =>
  c.html(<CurrentPage.Provider value={c}>{content}</CurrentPage.Provider>);

/** Takes the notice of the previous action for the page that is going to be shown. */
export function takeNotice(c: PageContext): void {
  const text = takeCookie(c, NOTICE_COOKIE);
  const undoes = takeCookie(c, UNDO_COOKIE);
  if (text !== undefined) c.set("notice", { text, undoes });
}

/** The path and query of an address that somebody sent, if it is such a page of this service. */
export function toOwnPath(
  c: PageContext,
  sent = "",
  isSuch: (path: string) => boolean,
  max = 1_000,
): string | undefined {
  if (sent.length > max || !isSuch(sent)) return undefined;
  // `..` in the text may lead elsewhere.
  const { pathname, search } = new URL(sent, c.req.url);
  return isSuch(pathname + search) ? pathname + search : undefined;
}

/** A page of this workspace that a form asks to return to; undefined for any other address. */
export function toReturnPath(c: PageContext, sent: string | undefined): string | undefined {
  const home = href.workspace(c.var.workspace);
  return toOwnPath(
    c,
    sent,
    (path) => path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}?`),
  );
}

/** What is known of the sender, which a page of an error may lack. */
export type KnownSender = Partial<Pick<PageContext["var"], "membership" | "person">>;

/** On narrow screens the sections and the sign-out button are in "Menu". */
const PageHeader = ({ section, hasSearch }: { section: Section | undefined; hasSearch: boolean }) => {
  const c = currentPage();
  const { membership, person }: KnownSender = c.var;
  const current = membership?.workspace;
  const others = (person?.memberships ?? []).filter(
    ({ workspace, suspended }) => workspace.id !== current?.id && !suspended,
  );
  const signedInAs = person && (
    <ActionForm class="who" method="post" action={href.signOut()}>
      <a class="plain" href={href.sessions()}>
        {person.email}
      </a>
      <Button label="Sign out" kind="quiet" />
    </ActionForm>
  );
  return (
    <header class="top">
      <div class="bar">
        <a class="brand" href={current === undefined ? href.home() : href.workspace(current.slug)}>
          {raw(brandImage(28))}
          Waymark
        </a>
        {others.length > 0 ? (
          <details class="switch">
            <summary>{current?.name ?? "Choose a workspace"}</summary>
            <ul>
              {others.map(({ workspace }) => (
                <li>
                  <a href={href.workspace(workspace.slug)}>{workspace.name}</a>
                </li>
              ))}
            </ul>
          </details>
        ) : (
          <p class="switch">{current?.name}</p>
        )}
        {current !== undefined && membership?.role === "viewer" && (
          <a class="badge" href={here.members()}>
            View only
          </a>
        )}
        {membership && !hasSearch && <FindForm />}
        {person && (
          <details class="menu">
            <summary>
              <Icon of="menu" />
              Menu
            </summary>
            {membership && <MainNavigation section={section} isWhole />}
            {signedInAs}
          </details>
        )}
        <a
          class="help"
          href={guideHref(c)}
          target="_blank"
          rel="noopener"
          aria-label="Help with this page, in a new tab"
        >
          <Icon of="help" />
          <span class="spare">Help</span>
        </a>
        {person && <div class="wide">{signedInAs}</div>}
      </div>
      <div class="wide bar">{membership && <MainNavigation section={section} />}</div>
    </header>
  );
};

export const Notice = ({ text, warns = false }: { text: Child; warns?: boolean }) => (
  <p class={warns ? "notice warning" : "notice"} role="status" tabindex={-1}>
    {text}
  </p>
);

interface PageProperties {
  title: string;
  section?: Section;
  /** The pages above this one, the outermost first. */
  crumbs?: readonly Crumb[];
  /** After the heading: states. */
  state?: Child;
  /** At the right of the heading. */
  actions?: Child;
  /** Below the heading: what there is to do, or the tabs of the page. */
  toolbar?: Child;
  /** Of an element around all that is below the heading. */
  class?: string;
  /** Whether the page has a search of all links, so that its header has none. */
  hasSearch?: boolean;
  /** Whether the page itself says why its form was refused. */
  saysRefusal?: boolean;
  /** Whether the notice looks like a warning. */
  warns?: boolean;
  children?: Child;
}

/** A page with its header, the notice of the previous action, the heading, and why its form was refused. */
export const Page = ({
  title,
  section,
  crumbs = [],
  state,
  actions,
  toolbar,
  class: layout,
  hasSearch = false,
  saysRefusal = false,
  warns = false,
  children,
}: PageProperties) => {
  const c = currentPage();
  const {
    nonce,
    membership,
    problem,
    notice,
  }: Pick<PageContext["var"], "nonce" | "problem" | "notice"> & KnownSender = c.var;
  const document = (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>
          {membership ? `${title} · ${membership.workspace.name} · Waymark` : `${title} · Waymark`}
        </title>
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <link rel="manifest" href={href.manifest()} crossorigin="use-credentials" />
        {membership && (
          <link
            rel="search"
            type="application/opensearchdescription+xml"
            title={`Waymark ${membership.workspace.slug}`}
            href={href.searchDescription(membership.workspace.slug)}
          />
        )}
        <link rel="stylesheet" href={href.style()} nonce={nonce} />
        <script type="module" src={href.script()} nonce={nonce}></script>
      </head>
      <body data-new-link={membership && membership.role !== "viewer" ? here.newLink() : undefined}>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <PageHeader section={section} hasSearch={hasSearch} />
        <main id="main" tabindex={-1}>
          {notice !== undefined &&
            (notice.undoes !== undefined && membership !== undefined ? (
              <div class="notice row" role="status" tabindex={-1}>
                <p>{notice.text}</p>
                <Undo operation={notice.undoes} />
              </div>
            ) : (
              <Notice text={notice.text} warns={warns} />
            ))}
          {membership !== undefined && isSetting(section) && <SettingsNavigation section={section} />}
          {crumbs.length > 0 && <Breadcrumbs crumbs={crumbs} />}
          <div class="heading">
            <h1>
              <Breakable name={title} />
            </h1>
            {state && <div class="state">{state}</div>}
            {actions && <div class="actions">{actions}</div>}
          </div>
          {toolbar}
          {problem !== undefined && !saysRefusal && (
            <p class="refusal" role="alert">
              {problem.message}
            </p>
          )}
          {layout === undefined ? children : <div class={layout}>{children}</div>}
        </main>
      </body>
    </html>
  );
  return html`<!doctype html>${document}`;
};
