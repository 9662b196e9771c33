import type { Hono } from "hono";
import {
  addMember,
  changeRole,
  listMembers,
  type Member,
  memberNotFound,
  removeMember,
} from "../../workspaces/members";
import { changedRole, newMember, ROLES } from "../../workspaces/schema";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import type { Form } from "../shell/form-body";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Badge, count, Time, words } from "../shell/text";
import { AddMemberForm } from "./add-member";
import { MemberActions } from "./member-actions";
import { signInNotice } from "./sign-in-hint";

const ROLE_TEXT: Readonly<Record<Member["role"], string>> = {
  owner: "Does everything, also keys, members and the workspace itself.",
  editor: "Works with links, tags, Activity Groups and assets.",
  viewer: "Looks at everything but keys, and changes nothing.",
};

/** A form that was refused: the one that adds a member, as `typed`, or one about the member with this `email`. */
interface RefusedForm {
  problem: Problem;
  typed?: Form["fields"];
  email?: string;
}

async function showMembers(c: PageContext, refused?: RefusedForm): Promise<Response> {
  const { ctx, membership, person } = c.var;
  const { slug } = ctx.workspace;
  const { problem, typed } = refused ?? {};
  const members = await listMembers(ctx);
  if (refused?.email !== undefined && members.every(({ email }) => email !== refused.email)) {
    throw memberNotFound();
  }
  const isOwner = membership.role === "owner";
  return showPage(
    c,
    {
      title: "Members",
      section: "workspace",
      actions: <a href={href.settings(slug)}>Back to the workspace</a>,
      ...(problem && { status: problem.status }),
    },
    <div class={isOwner ? "columns" : "stack"}>
      <div class="stack">
        <Refusal problem={problem} />
        <table class="list">
          <caption class="unseen">{count(members.length, "member")}</caption>
          <thead>
            <tr>
              <th scope="col">E-mail address</th>
              <th scope="col">Role</th>
              <th scope="col">Since</th>
              {isOwner && <th scope="col">Actions</th>}
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr>
                <th scope="row">
                  {member.email}
                  {member.email === person.email && <span class="soft"> (you)</span>}
                </th>
                <td data-label="Role">
                  <Badge of={member.role} />
                </td>
                <td data-label="Since">
                  <Time at={member.created_at} />
                </td>
                {isOwner && (
                  <td>
                    <MemberActions slug={slug} member={member} isSelf={member.email === person.email} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
        <dl class="facts small soft">
          {ROLES.map((role) => (
            <>
              <dt>{words(role)}</dt>
              <dd>{ROLE_TEXT[role]}</dd>
            </>
          ))}
        </dl>
        {!isOwner && <p class="hint">An owner adds and removes members.</p>}
      </div>
      {isOwner && <AddMemberForm c={c} typed={typed ?? {}} problem={typed && problem} />}
    </div>,
  );
}

/** Everybody sees the members. Owners add, change and remove them. */
export function registerMembers(app: Hono<ConsoleEnv>): void {
  app.get(paths.members, (c) => showMembers(c));

  app.post(paths.members, ownersOnly, async (c) => {
    const { fields } = await readForm(c);
    const { ctx } = c.var;
    try {
      const { email, role } = await addMember(ctx, checked(newMember, fields));
      const notice = `${email} is a member now, as ${role}. ${signInNotice(ctx, email)}`;
      return redirectWithNotice(c, href.members(ctx.workspace.slug), notice);
    } catch (error) {
      return showMembers(c, { problem: toProblem(error), typed: fields });
    }
  });

  app.post(paths.member, ownersOnly, async (c) => {
    const { fields } = await readForm(c);
    const { ctx } = c.var;
    const memberEmail = c.req.param("email");
    try {
      const input = checked(changedRole, fields);
      const { email, role } = await changeRole(ctx, memberEmail, input.role);
      return redirectWithNotice(c, href.members(ctx.workspace.slug), `${email} is ${role} now.`);
    } catch (error) {
      return showMembers(c, { problem: toProblem(error), email: memberEmail });
    }
  });

  app.post(paths.removeMember, ownersOnly, async (c) => {
    const { ctx, person } = c.var;
    const email = c.req.param("email");
    try {
      await removeMember(ctx, email);
      return email === person.email
        ? redirectWithNotice(c, href.home(), `You have left ${ctx.workspace.name}.`)
        : redirectWithNotice(c, href.members(ctx.workspace.slug), `${email} is no member any more.`);
    } catch (error) {
      return showMembers(c, { problem: toProblem(error), email });
    }
  });
}
