import type { Child } from "hono/jsx";

/** Chooses all of a page, for the script. Without it they are chosen one by one. */
export const TickAll = ({ name, label = "Select all on this page" }: { name: string; label?: string }) => (
  <label class="tick" hidden>
    <input type="checkbox" data-ticks={name} />
    {label}
  </label>
);

/** What can be done with the chosen ones. The script shows it while some are chosen, and says how many. */
export const WithChosen = ({ name, of, children }: { name: string; of: string; children?: Child }) => (
  <fieldset class="change" data-counts={name}>
    <legend>
      <span class="spare">With the </span>
      <span data-count={of}>selected {of}s</span>
    </legend>
    {children}
  </fieldset>
);
