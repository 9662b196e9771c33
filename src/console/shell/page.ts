import { createContext, useContext } from "hono/jsx";
import { hrefIn } from "../href";
import type { PageContext } from "./request";

/** The request that a page answers. `showPage` and `showPart` provide it. */
export const Page = createContext<PageContext | undefined>(undefined);

/** The request of the page that is being rendered. Only components may ask for it. */
export function currentPage(): PageContext {
  const c = useContext(Page);
  if (c === undefined) throw new Error("No page is being rendered.");
  return c;
}

/** Addresses of the workspace of the page, for components: `here.link(id)`. */
export const here = hrefIn(() => currentPage().var.workspace);
