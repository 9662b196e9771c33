import { z } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { toLinkReference } from "../../engagement/link-reference";
import { type AssetList, parseAssetList } from "../../engagement/parse-list";
import { type ListedAsset, MAX_ASSETS_OF_LINK, newAssets } from "../../engagement/schema";
import { createAssets } from "../../engagement/service";
import { getTarget } from "../../engagement/target";
import { invalid } from "../../errors";
import { textOf } from "../../lib/csv";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Field, Select, TextArea } from "../shell/form";
import type { Form } from "../shell/form-body";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { count } from "../shell/text";
import { findLinkSlug } from "./create";
import { assetCrumbs, KindSelect, LinkField } from "./fields";
import { ListPreview } from "./list-preview";

/** Fits the longest list with every character percent-encoded. */
const MAX_LIST_FORM_BYTES = 1024 * 1024;

const FORM_ID = "several";

const STATUSES = ["draft", "live"] as const;

const sharedFields = newAssets.pick({ link: true, kind: true }).extend({ status: z.enum(STATUSES) });

type Values = Readonly<Partial<Record<"link" | "kind" | "status" | "list", string>>>;

/** What all assets of the list have in common. */
const SharedFields = ({
  workspace,
  values,
  problem,
}: {
  workspace: string;
  values: Values;
  problem: Problem | undefined;
}) => (
  <>
    <LinkField workspace={workspace} value={values.link} problem={problem} />
    <div class="filters">
      <KindSelect value={values.kind} problem={problem} />
      <Select
        label="Status"
        name="status"
        value={values.status}
        options={[
          ["draft", "Draft"],
          ["live", "Live: out in the world"],
        ]}
        problem={problem}
        required
      />
    </div>
  </>
);

const ListFields = ({ value, problem }: { value: string | undefined; problem: Problem | undefined }) => (
  <div class="fields either">
    <TextArea
      label="List"
      name="list"
      rows={12}
      value={value}
      problem={problem}
      hint={`One asset a line, up to ${MAX_ASSETS_OF_LINK}: a name, and if you like a place and a quantity, with commas, semicolons or tabs between them. You can paste cells of a spreadsheet. A first line may name the columns: name, place, quantity.`}
    />
    <Field
      label="Or a CSV file"
      name="file"
      type="file"
      problem={problem}
      attributes={{ accept: ".csv,.tsv,.txt,text/csv,text/plain", value: undefined }}
    />
  </div>
);

const showForm = (
  c: PageContext,
  values: Values,
  { list, slug, problem }: { list?: AssetList | undefined; slug?: string; problem?: Problem } = {},
) => {
  const workspace = c.var.membership.workspace.slug;
  return showPage(
    c,
    {
      title: "Create several assets",
      section: "assets",
      crumbs: assetCrumbs(workspace),
      ...(problem && { status: problem.status }),
    },
    <div class="stack">
      <Refusal problem={problem} />
      {list !== undefined && <ListPreview list={list} slug={slug} formId={FORM_ID} />}
      <form
        method="post"
        action={href.newAssets(workspace)}
        enctype="multipart/form-data"
        id={FORM_ID}
        class="narrow card fields"
      >
        <SharedFields workspace={workspace} values={values} problem={problem} />
        <ListFields value={values.list} problem={problem} />
        <div class="row">
          <button type="submit" name="do" value="check" class={slug === undefined ? "primary" : ""}>
            Check the list
          </button>
          <a href={href.assets(workspace)}>Cancel</a>
        </div>
      </form>
    </div>,
  );
};

const refuseFile = (message: string) => invalid([{ field: "file", message, code: "format" }]);

/** The typed list, or the text of the file. */
async function readList(form: Form): Promise<string> {
  const typed = form.lines("list");
  const file = form.file("file");
  if (file === undefined || file.size === 0) return typed;
  if (typed.trim() !== "") {
    throw refuseFile("There is a list and a file. Empty the list, and choose the file again.");
  }
  const text = textOf(new Uint8Array(await file.arrayBuffer()));
  if (!text.ok) throw refuseFile(text.message);
  return text.value;
}

/** The assets of a list without problems. Throws 422. */
function assetsOf({ rows, problem }: AssetList): ListedAsset[] {
  const refuse = (message: string) => invalid([{ field: "list", message, code: "format" }]);
  if (problem !== undefined) throw refuse(problem);
  const assets = rows.flatMap(({ asset }) => asset ?? []);
  const refused = rows.length - assets.length;
  if (refused > 0) {
    throw refuse(
      `${count(refused, "line")} of ${rows.length} cannot be used. Correct the list, and check it again.`,
    );
  }
  return assets;
}

/** Creates up to 200 assets of a link from a list, which is checked and shown first. */
export function registerNewAssets(app: Hono<ConsoleEnv>): void {
  app.get(paths.newAssets, editorsOnly, async (c) => {
    const link = await findLinkSlug(c, c.req.query("link"));
    return showForm(c, { kind: "poster", status: "draft", ...(link !== undefined && { link }) });
  });

  app.post(paths.newAssets, editorsOnly, async (c) => {
    const { ctx, membership } = c.var;
    let values: Values = {};
    let list: AssetList | undefined;
    try {
      const form = await readForm(c, MAX_LIST_FORM_BYTES);
      values = { ...form.fields, list: form.lines("list") };
      values = { ...values, list: await readList(form) };
      list = parseAssetList(values.list ?? "");
      const { link = "", kind, status } = values;
      const shared = checked(sharedFields, {
        link: toLinkReference(link, ctx.config.shortBaseUrl),
        kind,
        status,
      });
      const assets = assetsOf(list);
      if (form.fields["do"] !== "create") {
        const { slug } = await getTarget(ctx, shared.link, assets.length);
        return showForm(c, values, { list, slug });
      }
      const created = await createAssets(ctx, { ...shared, assets });
      const as = shared.status === "live" ? "live" : created.length === 1 ? "as a draft" : "as drafts";
      return redirectWithNotice(
        c,
        href.printAssets(membership.workspace.slug, { id: created.map(({ id }) => id) }),
        `${count(created.length, "asset is", "assets are")} created, ${as}. Print the codes, or download their files.`,
      );
    } catch (error) {
      return showForm(c, values, { list, problem: toProblem(error) });
    }
  });
}
