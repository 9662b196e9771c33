import { expect, it } from "vitest";
import { inviteMember } from "../../src/workspaces/invitations";
import { addMember, removeMember } from "../../src/workspaces/members";
import { checkSession, createSignInLink, findSessionHash } from "../../src/workspaces/sessions";
import { signIn } from "../../src/workspaces/sign-in";
import { makeWorkspace, serviceContext } from "../harness";

const PLACE = { device: null, country: null };

it("an invitation of another workspace does not open one again that the session was removed from", async () => {
  const [first, second, third] = [await makeWorkspace(), await makeWorkspace(), await makeWorkspace()];
  const ctx = serviceContext();
  const email = `${crypto.randomUUID()}@example.com`;
  const opened = async (session: string | undefined) => {
    let slugs: string[] = [];
    await checkSession(ctx, (await findSessionHash(session)) ?? "", async (person) => {
      slugs = person?.memberships.map(({ workspace }) => workspace.slug) ?? [];
    }).assertChecked();
    return slugs.sort();
  };
  await addMember(first.ctx, { email, role: "editor" });
  await addMember(third.ctx, { email, role: "editor" });
  const session = await signIn(ctx, (await createSignInLink(ctx, email)).token, PLACE);
  expect(await opened(session)).toEqual([first.slug, third.slug].sort());
  await removeMember(third.ctx, email);
  const { token = "" } = await inviteMember(second.ctx, { email, role: "viewer" }, "");
  const joined = await signIn(ctx, token, { session, ...PLACE });
  await addMember(third.ctx, { email, role: "editor" });
  expect(await opened(joined)).toEqual([first.slug, second.slug].sort());
});
