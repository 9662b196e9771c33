import { ownerOf } from "../lib/external-id";
import { WaymarkError } from "./api/error";
import type { Link } from "./api/resources";

/** Throws if a links file or another program owns the link. `how` says how to force the change. */
export function assertNotOwned({ slug, external_id: id }: Link, how = "give --force"): void {
  const owner = ownerOf(id);
  if (owner === undefined) return;
  const message = `/${slug} belongs to "${owner}" (external ID ${id}), a links file or a program, which may undo this. Change it there, or ${how}.`;
  throw new WaymarkError(message, { status: 409 });
}
