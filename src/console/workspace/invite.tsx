import { ROLES } from "../../access/schema";
import { newId } from "../../lib/ids";
import { href } from "../href";
import { Field, type fieldsOf, Select, Submit } from "../shell/form";
import type { PageContext } from "../shell/request";
import { Card, words } from "../shell/text";
import { SignInHint } from "./invitation";

const ROLE_OPTIONS = ROLES.map((role) => [role, words(role)] as const);

export const InviteForm = ({ c, own }: { c: PageContext; own: ReturnType<typeof fieldsOf> }) => (
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
