import type { Hono } from "hono";
import { inviteMember, renewInvitation } from "../../access/invitations";
import { changeRole, type Member, memberNotFound, removeMember } from "../../access/members";
import {
  hasMember,
  type InvitedMember,
  listPeople,
  MAX_LISTED_PEOPLE,
  PEOPLE_PER_PAGE,
} from "../../access/people";
import { changedRole, newMember, ROLES } from "../../access/schema";
import { newId } from "../../lib/ids";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Field, fieldsOf, Select, Submit } from "../shell/form";
import type { Form } from "../shell/form-body";
import { Refusal, showPage } from "../shell/layout";
import { ListSearch, listQuery } from "../shell/list-search";
import { redirectWithNotice } from "../shell/notice";
import { Pager } from "../shell/pager";
import { type Problem, toProblem } from "../shell/problem";
import { Relative } from "../shell/relative";
import { type ConsoleEnv, checked, type PageContext, readForm, readQuery } from "../shell/request";
import { Table } from "../shell/table";
import { Badge, Card, count, Empty, Fact, number, Time, words } from "../shell/text";
import { InvitationCard, SignInHint, showInvitationOnce, takeInvitation } from "./invitation";
import { MemberActions } from "./member-actions";

const ROLE_OPTIONS = ROLES.map((role) => [role, words(role)] as const);

const InviteForm = ({ c, own }: { c: PageContext; own: ReturnType<typeof fieldsOf> }) => (
  <Card id="invite" title="Invite a person">
    <form method="post" action={href.members(c.var.ctx.workspace.slug)} class="filters invite">
      <input type="hidden" name="form" value={newId(c.var.ctx.now())} />
      <Field {...own("email")} label="E-mail address" type="email" required />
      <Select {...own("role")} label="Role" options={ROLE_OPTIONS} required />
      <Submit label="Invite" />
    </form>
    <SignInHint ctx={c.var.ctx} />
  </Card>
);

const ROLE_TEXT: Readonly<Record<Member["role"], string>> = {
  owner: "Does everything, also keys, people and the workspace itself.",
  editor: "Works with links, tags, Activity Groups and assets.",
  viewer: "Looks at everything but keys, and changes nothing.",
};

/** Whether they have come, and whether they still can with an invitation. */
const State = ({ member, usesLinks, now }: { member: InvitedMember; usesLinks: boolean; now: number }) => {
  const { last_seen_at: seenAt, invited_until: until } = member;
  return (
    <>
      {seenAt === null ? (
        until === null ? (
          <>
            Not seen yet
            {usesLinks && <span class="soft"> (no valid sign-in link)</span>}
          </>
        ) : (
          "Invited"
        )
      ) : (
        <>
          Seen <Relative at={seenAt} now={now} />
        </>
      )}
      {until !== null && (
        <span class="soft">
          , sign-in link valid until <Time at={until} exact />
        </span>
      )}
    </>
  );
};

/** A form that was refused: the one that invites a person, as `typed`, or one about the member with this `email`. */
interface RefusedForm {
  problem: Problem;
  typed?: Form["fields"];
  email?: string;
}

async function showMembers(c: PageContext, refused?: RefusedForm): Promise<Response> {
  const { ctx, membership, person, workspace: slug } = c.var;
  const { problem, typed } = refused ?? {};
  const isOwner = membership.role === "owner";
  const usesLinks = ctx.config.access === null;
  const { q, page } = readQuery(listQuery, c);
  const [people, invitation, isKnown] = await Promise.all([
    listPeople(ctx, { q, page }),
    isOwner && usesLinks ? takeInvitation(c) : undefined,
    refused?.email === undefined || hasMember(ctx, refused.email),
  ]);
  if (!isKnown) throw memberNotFound();
  const { items, meta } = people;
  const now = ctx.now();
  return showPage(
    c,
    {
      title: "People",
      section: "people",
      crumbs: [{ label: ctx.workspace.name, href: href.workspace(slug) }],
      ...(problem && { status: problem.status }),
    },
    <>
      <Refusal problem={problem} />
      {invitation && <InvitationCard invitation={invitation} />}
      {isOwner && <InviteForm c={c} own={fieldsOf({ role: "editor", ...typed }, typed && problem)} />}
      {(people.all > PEOPLE_PER_PAGE || q !== "") && (
        <ListSearch label="Search people" action={href.members(slug)} q={q} />
      )}
      {people.isCut && (
        <p class="warning">
          There are more than {number(MAX_LISTED_PEOPLE)} people. Only the first {number(MAX_LISTED_PEOPLE)}{" "}
          by e-mail address are listed and searched.
        </p>
      )}
      {items.length === 0 ? (
        <Empty>
          <p>Nobody here has this e-mail address.</p>
        </Empty>
      ) : (
        <Table
          caption={count(meta.total, "person", "people")}
          rows={items}
          columns={[
            {
              heading: "E-mail address",
              isName: true,
              cell: ({ email }) => (
                <>
                  {email}
                  {email === person.email && <span class="soft"> (you)</span>}
                </>
              ),
            },
            { heading: "Role", cell: ({ role }) => <Badge of={role} /> },
            { heading: "State", cell: (member) => <State member={member} usesLinks={usesLinks} now={now} /> },
            { heading: "Since", cell: (member) => <Time at={member.created_at} /> },
            isOwner && {
              heading: <>Actions</>,
              cell: (member) => (
                <MemberActions
                  slug={slug}
                  member={member}
                  isSelf={member.email === person.email}
                  usesLinks={usesLinks}
                />
              ),
            },
          ]}
        />
      )}
      <Pager meta={meta} of={["person", "people"]} hrefOf={(to) => href.members(slug, { q, page: to })} />
      <dl class="facts small soft">
        {ROLES.map((role) => (
          <Fact name={words(role)}>{ROLE_TEXT[role]}</Fact>
        ))}
      </dl>
      <p class="hint">
        {!isOwner && `You are ${membership.role} here: an owner invites, changes and removes people. `}
        When somebody was seen is known to the hour.
      </p>
    </>,
  );
}

/** Everybody sees who works in the workspace. Owners invite, change and remove people. */
export function registerMembers(app: Hono<ConsoleEnv>): void {
  app.get(paths.members, (c) => showMembers(c));

  app.post(paths.members, ownersOnly, async (c) => {
    const { fields } = await readForm(c);
    const { ctx } = c.var;
    try {
      const input = checked(newMember, fields);
      const { member, token } = await inviteMember(ctx, input, fields["form"] ?? "");
      if (token !== undefined) showInvitationOnce(c, token);
      const notice = `${member.email} is invited, as ${member.role}.`;
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

  app.post(paths.memberLink, ownersOnly, async (c) => {
    const { ctx } = c.var;
    const { member, token } = await renewInvitation(ctx, c.req.param("email"));
    const people = href.members(ctx.workspace.slug);
    if (token === undefined) return c.redirect(people, 303);
    showInvitationOnce(c, token);
    return redirectWithNotice(c, people, `${member.email} has a new sign-in link.`);
  });

  app.post(paths.removeMember, ownersOnly, async (c) => {
    const { ctx, person } = c.var;
    const email = c.req.param("email");
    try {
      await removeMember(ctx, email);
      return email === person.email
        ? redirectWithNotice(c, href.home(), `You have left ${ctx.workspace.name}.`)
        : redirectWithNotice(c, href.members(ctx.workspace.slug), `${email} is removed.`);
    } catch (error) {
      return showMembers(c, { problem: toProblem(error), email });
    }
  });
}
