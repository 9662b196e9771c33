import type { Member } from "../../access/members";
import { ROLES } from "../../access/schema";
import { PostButton } from "../shell/button";
import { Dangerous } from "../shell/form";
import { here } from "../shell/href";
import { currentPage } from "../shell/request";
import { words } from "../shell/text";

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

/** The forms about a member. Owners are warned before they change themselves. */
export const MemberActions = ({ member }: { member: Member }) => {
  const { ctx, person } = currentPage().var;
  const isSelf = member.email === person.email;
  return (
    <div class="row">
      {ctx.config.access === null && (
        <PostButton
          to={here.memberLink(member.email)}
          label="New sign-in link"
          description={`New sign-in link for ${member.email}`}
        />
      )}
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
        <details>
          <summary>Change role</summary>
          <form method="post" action={here.member(member.email)} class="row">
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
        action={here.removeMember(member.email)}
        button={isSelf ? "Leave this workspace" : `Remove ${member.email}`}
      />
    </div>
  );
};
