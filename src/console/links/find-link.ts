import type { Context } from "../../context";
import { ServiceError } from "../../errors";
import { getLink } from "../../resources/links/link";
import type { Link } from "../../resources/links/schema";

/** The link with this id; undefined if there is none. */
export async function findLink(ctx: Context, id: string | undefined): Promise<Link | undefined> {
  if (id === undefined || id === "") return undefined;
  try {
    return await getLink(ctx, id);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}
