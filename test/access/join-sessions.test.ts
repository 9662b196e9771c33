import { expect, it } from "vitest";
import { inviteMember } from "../../src/access/invitations";
import { addMember, removeMember } from "../../src/access/members";
import { createSignInLink, findPersonOfSession, findSessionHash } from "../../src/access/sessions";
import { signIn } from "../../src/access/sign-in";
import { makeWorkspace, serviceContext } from "../harness";

const PLACE = { device: null, country: null };

it("an invitation of another workspace does not open one again that the session was removed from", async () => {
  const [first, second, third] = [await makeWorkspace(), await makeWorkspace(), await makeWorkspace()];
  const ctx = serviceContext();
  const email = `${crypto.randomUUID()}@example.com`;
  const opened = async (session: string | undefined) => {
    const found = await findPersonOfSession(ctx, (await findSessionHash(session)) ?? "");
    return (found?.person.memberships.map(({ workspace }) => workspace.slug) ?? []).sort();
  };
  await addMember(first.ctx, { email, role: "editor" });
  await addMember(third.ctx, { email, role: "editor" });
  const session = await signIn(ctx, (await createSignInLink(ctx, email)).token, PLACE);
  expect(await opened(session)).toEqual([first.slug, third.slug].sort());
  await removeMember(third.ctx, email);
  const { token = "" } = await inviteMember(second.ctx, { email, role: "viewer" });
  const joined = await signIn(ctx, token, { session, ...PLACE });
  await addMember(third.ctx, { email, role: "editor" });
  expect(await opened(joined)).toEqual([first.slug, second.slug].sort());
});
