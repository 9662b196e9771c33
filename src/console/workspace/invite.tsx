import { ROLES } from "../../access/schema";
import { newId } from "../../lib/ids";
import { href } from "../href";
import { Field, Select } from "../shell/form";
import type { Form } from "../shell/form-body";
import type { Problem } from "../shell/problem";
import type { PageContext } from "../shell/request";
import { words } from "../shell/text";
import { SignInHint } from "./invitation";

const ROLE_OPTIONS = ROLES.map((role) => [role, words(role)] as const);

export const InviteForm = ({
  c,
  typed,
  problem,
}: {
  c: PageContext;
  typed: Form["fields"];
  problem: Problem | undefined;
}) => (
  <section class="card" aria-labelledby="invite">
    <h2 id="invite">Invite a person</h2>
    <form method="post" action={href.members(c.var.ctx.workspace.slug)} class="filters invite">
      <input type="hidden" name="form" value={newId(c.var.ctx.now())} />
      <Field
        label="E-mail address"
        name="email"
        type="email"
        value={typed["email"]}
        problem={problem}
        required
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
          Invite
        </button>
      </p>
    </form>
    <SignInHint ctx={c.var.ctx} />
  </section>
);
