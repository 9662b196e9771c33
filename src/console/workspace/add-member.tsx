import { ROLES } from "../../workspaces/schema";
import { href } from "../href";
import { Field, Select } from "../shell/form";
import type { Form } from "../shell/form-body";
import type { Problem } from "../shell/problem";
import type { PageContext } from "../shell/request";
import { words } from "../shell/text";
import { SignInHint } from "./sign-in-hint";

const ROLE_OPTIONS = ROLES.map((role) => [role, words(role)] as const);

export const AddMemberForm = ({
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
    <SignInHint ctx={c.var.ctx} />
  </section>
);
