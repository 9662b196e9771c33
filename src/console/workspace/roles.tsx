import { ROLES } from "../../access/access-schema";
import type { Member } from "../../access/members";
import { Fact, words } from "../shell/text";

const ROLE_TEXT: Readonly<Record<Member["role"], string>> = {
  owner: "Does everything, and manages people, API keys, domains, receivers and the workspace.",
  editor: "Creates and changes links, groups, posters, tags and brandings.",
  viewer: "Sees links, groups, posters and tags with their figures, and changes nothing.",
};

/** What each role may do. */
export const Roles = () => (
  <dl class="facts small soft">
    {ROLES.map((role) => (
      <Fact name={words(role)}>{ROLE_TEXT[role]}</Fact>
    ))}
  </dl>
);
