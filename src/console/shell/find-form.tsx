import { here } from "./href";

const MAX_CHARACTERS = 255;

/** The attributes of a search field. The script shows what is found while the person types. */
export const findAttributes = (): Record<string, string | number> => ({
  maxlength: MAX_CHARACTERS,
  placeholder: "Short link, destination or words",
  autocapitalize: "none",
  spellcheck: "false",
  "data-finds": here.findLinks(),
});

/**
 * The search in the header of every page, which finds archived links too. On the list of links, the field of the list
 * takes its place.
 */
export const FindForm = () => (
  <search class="find">
    <form method="get" action={here.links()}>
      <label class="unseen" for="find">
        Search links
      </label>
      <input type="hidden" value="all" name="status" />
      <input type="search" id="find" name="q" autocomplete="off" {...findAttributes()} />
    </form>
  </search>
);
