import { here } from "../shell/href";
import { currentPage } from "../shell/page-request";
import { Card } from "../shell/text";

/**
 * Opens the form with the address of the page that is shown. It loads nothing, so it works on pages with a strict
 * Content-Security-Policy.
 */
const toBookmarklet = (form: string): string =>
  `javascript:void open(${JSON.stringify(form)}+"?destination="+encodeURIComponent(location.href)+"&title="+encodeURIComponent(document.title))`;

/** How to come to the form of a new link from elsewhere. */
export const FromAnywhere = () => {
  const { ctx } = currentPage().var;
  return (
    <Card id="from-anywhere" title="From anywhere">
      <ul class="spaced">
        <li>
          <strong>In a browser:</strong> drag{" "}
          <a class="button" href={toBookmarklet(ctx.config.baseUrl + here.newLink())}>
            Shorten with Waymark
          </a>{" "}
          to the bookmarks. On any page, it opens this form with the page’s address.
        </li>
        <li>
          <strong>On a phone:</strong> add Waymark to the home screen. “Share” in other apps then leads here,
          where the phone lets web apps take part.
        </li>
        <li>
          <strong>By keyboard:</strong> <kbd>c</kbd> opens this form, <kbd>/</kbd> searches, and <kbd>?</kbd>{" "}
          lists the keys.{" "}
          <button type="button" class="quiet" data-keys hidden>
            Keys
          </button>
        </li>
      </ul>
    </Card>
  );
};
