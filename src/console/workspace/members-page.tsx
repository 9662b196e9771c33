import { changedRole, memberName, newMember, ROLES } from "../../access/access-schema";
import { inviteMember, renewInvitation } from "../../access/invitations";
import { listKeysOfRemoved } from "../../access/keys";
import {
  changeRole,
  removeMember as endMembership,
  hasMember,
  type InvitedMember,
  listPeople,
  type Member,
  memberNotFound,
  PEOPLE_PER_PAGE,
  renameMember,
} from "../../access/members";
import { knownValue } from "../../lib/known-value";
import { ActionForm, PostButton } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { ListSearch, listQuery, Pager } from "../shell/list-controls";
import { checked, currentPage, type Form, type PageContext, readQuery } from "../shell/page-request";
import { Field, PostForm, Select, Submit } from "../shell/post-form";
import { Table } from "../shell/table";
import { Badge, Card, count, inWords, Relative, Time, words } from "../shell/text";
import { InvitationCard, mailText, SignInHint, showInvitationOnce, takeInvitation } from "./invitation";
import { Roles } from "./roles";

const RoleSelect = ({ member }: { member: Member }) => (
  <label class="tick nowrap">
    Role
    <select name="role">
      {!ROLES.includes(member.role) && <option value="">Other</option>}
      {ROLES.map((role) => (
        <option value={role} selected={role === member.role}>
          {words(role)}
        </option>
      ))}
    </select>
  </label>
);

/** The menu of a member, with the forms about them. Owners are warned before they change themselves. */
const MemberActions = ({ member }: { member: Member }) => {
  const { var: page, req } = currentPage();
  const isSelf = member.email === page.person.email;
  const isRefused = page.problem !== undefined && req.path.startsWith(here.member(member.email));
  return (
    <details class="dropdown" open={isRefused}>
      <summary class="button" aria-label={`More for ${member.email}`}>
        More
      </summary>
      <div class="card narrow">
        {page.ctx.config.access === null && (
          <PostButton
            to={here.memberLink(member.email)}
            label="New sign-in link"
            description={`New sign-in link for ${member.email}`}
          />
        )}
        <ActionForm method="post" action={here.memberName(member.email)} class="row">
          <label class="tick nowrap">
            Name
            <input name="name" value={member.name ?? ""} maxlength={100} autocomplete="off" />
          </label>
          <button type="submit">Save name</button>
        </ActionForm>
        {isSelf ? (
          <Dangerous
            summary="Change your own role"
            consequence="This is you. As editor or viewer you can no longer manage keys, people and the workspace, nor make yourself owner again: another owner has to."
            action={here.member(member.email)}
            button="Change my role"
          >
            <RoleSelect member={member} />
          </Dangerous>
        ) : (
          <ActionForm method="post" action={here.member(member.email)} class="row">
            <RoleSelect member={member} />
            <button type="submit">Change role</button>
          </ActionForm>
        )}
        <Dangerous
          summary={isSelf ? "Leave" : "Remove"}
          consequence={
            isSelf
              ? "This is you. You lose this workspace at once, and only another owner can let you in again."
              : `${member.email} loses this workspace with the next request. What they have made stays, and so do API keys that they know: revoke those.`
          }
          action={here.removeMember(member.email)}
          button={isSelf ? "Leave this workspace" : `Remove ${member.email}`}
        />
      </div>
    </details>
  );
};

const State = ({ member, usesLinks }: { member: InvitedMember; usesLinks: boolean }) => {
  const { last_seen_at: seenAt, invited_until: until, hasPasskey } = member;
  const isGone = seenAt === null && until === null;
  return (
    <>
      {isGone ? "Not seen yet" : seenAt === null ? "Invited" : "Seen "}
      {seenAt !== null && <Relative at={seenAt} />}
      {isGone && usesLinks && <span class="soft"> (no valid sign-in link: make a new one)</span>}
      {until !== null && (
        <span class="soft">
          , sign-in link valid until <Time at={until} exact />
        </span>
      )}
      {hasPasskey && <span class="soft">, has a passkey</span>}
    </>
  );
};

/** Everybody sees who works in the workspace. The page is also that of the forms about one of them. */
export async function showMembers(c: PageContext): Promise<Response> {
  const { ctx, membership, workspace, person, problem } = c.var;
  const isOwner = membership.role === "owner";
  const usesLinks = ctx.config.access === null;
  const { q, page } = readQuery(listQuery, c);
  const { email } = c.req.param();
  const [people, invitation, isKnown, leftKeys] = await Promise.all([
    listPeople(ctx, { q, page, withPasskeys: isOwner && usesLinks }),
    isOwner && usesLinks ? takeInvitation(c) : undefined,
    problem === undefined || email === undefined || hasMember(ctx, email),
    isOwner ? listKeysOfRemoved(ctx) : [],
  ]);
  if (!isKnown) throw memberNotFound();
  const { items, meta } = people;
  return c.render(
    <Page title="People" section="people">
      {invitation && <InvitationCard {...invitation} />}
      {isOwner && (
        <Card id="invite" title="Invite a person">
          <PostForm action={href.members(workspace)} initial={{ role: "editor" }} class="filters invite">
            <Field name="email" label="E-mail address" type="email" required />
            <Field name="name" label="Name" isOptional />
            <Select name="role" label="Role" options={inWords(ROLES)} required />
            <Submit label="Invite" />
          </PostForm>
          <SignInHint />
          <Roles />
        </Card>
      )}
      {(people.all > PEOPLE_PER_PAGE || q !== "") && <ListSearch label="Search people" q={q} />}
      <Table
        caption={count(meta.total, "person", "people")}
        empty="Nobody here has this name or e-mail address."
        rows={items}
        columns={[
          {
            heading: "Person",
            isName: true,
            cell: ({ email, name }) => (
              <>
                {name !== null && (
                  <>
                    <bdi>{name}</bdi>
                    <br />
                  </>
                )}
                {name === null ? email : <span class="soft">{email}</span>}
                {email === person.email && <span class="soft"> (you)</span>}
              </>
            ),
          },
          { heading: "Role", cell: ({ role }) => <Badge of={knownValue(ROLES, role, "other")} /> },
          { heading: "State", cell: (member) => <State member={member} usesLinks={usesLinks} /> },
          { heading: "Since", kind: "labelled", cell: (member) => <Time at={member.created_at} /> },
          isOwner && {
            heading: <span class="unseen">Actions</span>,
            cell: (member) => <MemberActions member={member} />,
          },
        ]}
      />
      <Pager meta={meta} of="person" many="people" />
      {leftKeys.length > 0 && (
        <Card id="left-keys" title="API keys of people who left">
          <p>
            They were made by people who are no longer here, and still work. Revoke what these people may
            know: <a href={href.keys(workspace)}>API keys</a>.
          </p>
          <Table
            caption={count(leftKeys.length, "API key")}
            rows={leftKeys}
            columns={[
              { heading: "Name", isName: true, cell: ({ name }) => name },
              { heading: "Key", cell: ({ last4 }) => <code class="nowrap">…{last4}</code> },
              { heading: "Made by", kind: "labelled", cell: ({ email }) => email },
            ]}
          />
        </Card>
      )}
      {!isOwner && <Roles />}
      <p class="hint">
        {!isOwner && `You are ${membership.role} here: an owner invites, changes and removes people. `}
        “Seen” is accurate to the hour.
      </p>
    </Page>,
  );
}

export async function invite(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const invitation = await inviteMember(ctx, checked(newMember, fields));
  const { member, token } = invitation;
  if (token !== undefined) showInvitationOnce(c, token);
  const notice = `${member.email} is invited, as ${member.role}.${mailText(invitation)}`;
  return redirectWithNotice(c, href.members(workspace), notice);
}

export async function changeMember(c: PageContext, { fields }: Form): Promise<Response> {
  const { role: newRole } = checked(changedRole, fields);
  const { email, role } = await changeRole(c.var.ctx, c.req.param("email"), newRole);
  return redirectWithNotice(c, href.members(c.var.workspace), `${email} is ${role} now.`);
}

export async function nameMember(c: PageContext, { fields }: Form): Promise<Response> {
  const { name = null } = checked(memberName, fields);
  const { email } = await renameMember(c.var.ctx, c.req.param("email"), name);
  const notice = name === null ? `${email} has no name here now.` : `${email} is called ${name} now.`;
  return redirectWithNotice(c, href.members(c.var.workspace), notice);
}

export async function inviteAgain(c: PageContext): Promise<Response> {
  const people = href.members(c.var.workspace);
  const invitation = await renewInvitation(c.var.ctx, c.req.param("email"));
  const { member, token } = invitation;
  if (token === undefined) return c.redirect(people, 303);
  showInvitationOnce(c, token);
  const notice = `${member.email} has a new sign-in link.${mailText(invitation)}`;
  return redirectWithNotice(c, people, notice);
}

export async function removeMember(c: PageContext): Promise<Response> {
  const { ctx, person, workspace } = c.var;
  const email = c.req.param("email");
  await endMembership(ctx, email);
  return email === person.email
    ? redirectWithNotice(c, href.home(), `You have left ${ctx.workspace.name}.`)
    : redirectWithNotice(c, href.members(workspace), `${email} is removed.`);
}
