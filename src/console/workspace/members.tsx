import type { Hono } from "hono";
import type { Child } from "hono/jsx";
import type { Context } from "../../context";
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
import { Dangerous, Field, Select } from "../shell/form";
import type { Form } from "../shell/form-body";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Badge, count, Time, words } from "../shell/text";

const MAY: Readonly<Record<Member["role"], string>> = {
  owner: "Does everything, also keys, members and the workspace itself.",
  editor: "Works with links, tags, Activity Groups and assets.",
  viewer: "Looks at everything but keys, and changes nothing.",
};

const ROLE_OPTIONS = ROLES.map((role) => [role, words(role)] as const);

/** A word as a shell takes it, whatever is in it. */
const shellWord = (text: string): string =>
  /^[\w.+@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const signInCommand = (email: string): string =>
  `npm run admin -- member sign-in --email ${shellWord(email)}`;

const HowTheyComeIn = ({ ctx }: { ctx: Context }) => (
  <p class="hint">
    {ctx.config.access === null ? (
      <>
        A new member comes in by a sign-in link, which works once and for 15 minutes. Whoever operates this
        service makes it with <code>{signInCommand("their-address@example.com")}</code>.
      </>
    ) : (
      "A new member comes in through Cloudflare Access, with this address, if its policy lets them through."
    )}
  </p>
);

const howComesIn = (ctx: Context, email: string): string =>
  ctx.config.access === null
    ? `To come in, they need a sign-in link, which whoever operates this service makes: ${signInCommand(email)}`
    : "They come in through Cloudflare Access, with that address.";

const AddForm = ({
  c,
  typed,
  problem,
}: {
  c: PageContext;
  typed: Form["fields"];
  problem: Problem | undefined;
}) => (
  <section class="card" aria-labelledby="add">
    <h2 id="add">Add a member</h2>
    <form method="post" action={href.members(c.var.ctx.workspace.slug)} class="fields">
      <Field
        label="E-mail address"
        name="email"
        type="email"
        value={typed["email"]}
        problem={problem}
        required
        attributes={{ maxlength: 254 }}
      />
      <Select
        label="Role"
        name="role"
        value={typed["role"] ?? "editor"}
        options={ROLE_OPTIONS}
        problem={problem}
        required
      />
      <p>
        <button type="submit" class="primary">
          Add
        </button>
      </p>
    </form>
    <HowTheyComeIn ctx={c.var.ctx} />
  </section>
);

const RoleSelect = ({ member }: { member: Member }) => (
  <label class="tick">
    Role
    <select name="role">
      {ROLES.map((role) => (
        <option value={role} selected={role === member.role}>
          {words(role)}
        </option>
      ))}
    </select>
  </label>
);

/** What an owner can do about a member; about oneself it is said what it means. */
const MemberActions = ({
  slug,
  member,
  isSelf,
}: {
  slug: string;
  member: Member;
  isSelf: boolean;
}): Child => (
  <div class="stack">
    {isSelf ? (
      <Dangerous
        summary="Change your own role"
        consequence="This is you. As editor or viewer you can no longer manage keys, members and the workspace, nor make yourself owner again: another owner has to."
        action={href.member(slug, member.email)}
        button="Change my role"
      >
        <RoleSelect member={member} />
      </Dangerous>
    ) : (
      <details>
        <summary>Change role</summary>
        <form method="post" action={href.member(slug, member.email)} class="row">
          <RoleSelect member={member} />
          <button type="submit">Change</button>
        </form>
      </details>
    )}
    <Dangerous
      summary={isSelf ? "Leave" : "Remove"}
      consequence={
        isSelf
          ? "This is you. You lose this workspace at once, and only another owner can let you in again."
          : `${member.email} loses this workspace with the next request. What they have made stays, and so do API keys that they know: revoke those.`
      }
      action={href.removeMember(slug, member.email)}
      button={isSelf ? "Leave this workspace" : `Remove ${member.email}`}
    />
  </div>
);

/** A form of the page that was refused: the one that adds, with what was typed, or one about a member. */
interface Refused {
  problem: Problem;
  typed?: Form["fields"];
  about?: string;
}

async function showMembers(c: PageContext, refused?: Refused): Promise<Response> {
  const { ctx, membership, person } = c.var;
  const { slug } = ctx.workspace;
  const { problem, typed, about } = refused ?? {};
  const members = await listMembers(ctx);
  if (about !== undefined && members.every(({ email }) => email !== about)) throw memberNotFound();
  const owns = membership.role === "owner";
  return showPage(
    c,
    {
      title: "Members",
      section: "workspace",
      actions: <a href={href.settings(slug)}>Back to the workspace</a>,
      ...(problem && { status: problem.status }),
    },
    <div class={owns ? "columns" : "stack"}>
      <div class="stack">
        <Refusal problem={problem} />
        <table class="list">
          <caption class="unseen">{count(members.length, "member")}</caption>
          <thead>
            <tr>
              <th scope="col">E-mail address</th>
              <th scope="col">Role</th>
              <th scope="col">Since</th>
              {owns && <th scope="col">Actions</th>}
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
                {owns && (
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
              <dd>{MAY[role]}</dd>
            </>
          ))}
        </dl>
        {!owns && <p class="hint">An owner adds and removes members.</p>}
      </div>
      {owns && <AddForm c={c} typed={typed ?? {}} problem={typed && problem} />}
    </div>,
  );
}

/** Who may work in the workspace: owners add, change and remove, everybody sees the list. */
export function registerMembers(app: Hono<ConsoleEnv>): void {
  app.get(paths.members, (c) => showMembers(c));

  app.post(paths.members, ownersOnly, async (c) => {
    const { fields } = await readForm(c);
    const { ctx } = c.var;
    try {
      const { email, role } = await addMember(ctx, checked(newMember, fields));
      const notice = `${email} is a member now, as ${role}. ${howComesIn(ctx, email)}`;
      return redirectWithNotice(c, href.members(ctx.workspace.slug), notice);
    } catch (error) {
      return showMembers(c, { problem: toProblem(error), typed: fields });
    }
  });

  app.post(paths.member, ownersOnly, async (c) => {
    const { fields } = await readForm(c);
    const { ctx } = c.var;
    const about = c.req.param("email");
    try {
      const { role: asked } = checked(changedRole, fields);
      const { email, role } = await changeRole(ctx, about, asked);
      return redirectWithNotice(c, href.members(ctx.workspace.slug), `${email} is ${role} now.`);
    } catch (error) {
      return showMembers(c, { problem: toProblem(error), about });
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
      return showMembers(c, { problem: toProblem(error), about: email });
    }
  });
}
