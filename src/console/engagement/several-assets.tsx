import { z } from "@hono/zod-openapi";
import { textOf } from "../../lib/file-text";
import { sortNaturally } from "../../lib/natural-order";
import { nameOfAddress } from "../../lib/short-url";
import { getTarget } from "../../resources/engagement/asset";
import { type ListedAsset, MAX_ASSETS_OF_LINK, newAssets } from "../../resources/engagement/asset-schema";
import { createAssets } from "../../resources/engagement/asset-service";
import { toLinkReference } from "../../resources/engagement/link-reference";
import { type AssetList, parseAssetList } from "../../resources/engagement/parse-list";
import { findLink } from "../../resources/links/link";
import { listLinksQuery } from "../../resources/links/link-schema";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import {
  checked,
  type Form,
  type PageContext,
  readLargeForm,
  readQuery,
  refusal,
} from "../shell/page-request";
import { Picker } from "../shell/picker";
import { FileField, type Options, PostForm, Select, TextArea } from "../shell/post-form";
import { Table } from "../shell/table";
import { count, inWords } from "../shell/text";
import { listOfferedLinks } from "./asset-choice";
import { KindSelect, LinkField } from "./new-asset";

/**
 * What a list makes, with what is wrong with its lines. `slug` is the link's, if everything is right: then a button of the
 * form creates the assets.
 */
const ListPreview = ({ list, slug }: { list: AssetList; slug: string | undefined }) => {
  if (list.problem !== undefined) return null;
  const { rows, headingLine, ignored } = list;
  return (
    <section class="stack" aria-labelledby="preview">
      <h2 id="preview">
        {slug === undefined
          ? `The list has ${count(rows.length, "poster")}`
          : `${count(rows.length, "poster")} of /${slug}`}
      </h2>
      {headingLine !== undefined && (
        <p class="hint">
          Line {headingLine} names the columns.
          {ignored.length > 0 && ` Not used: ${ignored.join(", ")}.`}
        </p>
      )}
      {slug !== undefined && (
        <div class="row">
          <button type="submit" form={FORM_ID} name="do" value="create" class="primary">
            Create {count(rows.length, "poster")}
          </button>
          <span class="soft">Each gets a code of its own. Nothing has been created yet.</span>
        </div>
      )}
      <Table
        caption="The posters of the list"
        rows={rows}
        columns={[
          { heading: "Line", cell: ({ line }) => line },
          {
            heading: "Name",
            isName: true,
            cell: ({ name, problems }) => (
              <>
                <bdi>{name}</bdi>
                {problems.length > 0 && <p class="refused">{problems.join(" ")}</p>}
              </>
            ),
          },
          { heading: "Place", cell: ({ place }) => place !== "" && <bdi>{place}</bdi> },
          { heading: "Quantity", kind: "number", cell: ({ quantity }) => quantity },
        ]}
      />
    </section>
  );
};

/** Fits the longest list with every character percent-encoded. */
const MAX_LIST_FORM_BYTES = 1024 * 1024;

const FORM_ID = "several";

const sharedFields = newAssets.pick({ link: true, kind: true }).extend({ status: z.enum(["draft", "live"]) });

const query = z.object({ link: z.string().optional(), group: listLinksQuery.shape.activity_group_id });

async function readList(form: Form): Promise<string> {
  const typed = form.lines("list");
  const file = form.file("file");
  if (file === undefined || file.size === 0) return typed;
  if (typed.trim() !== "") {
    throw refusal("file", "Give a list or a file, not both. Empty the list, and choose the file again.");
  }
  const text = textOf(new Uint8Array(await file.arrayBuffer()));
  if (!text.ok) throw refusal("file", text.message);
  return text.value;
}

function assetsOf({ rows, problem }: AssetList): ListedAsset[] {
  if (problem !== undefined) throw refusal("list", problem);
  const assets = rows.flatMap(({ asset }) => asset ?? []);
  const refused = rows.length - assets.length;
  if (refused > 0) {
    const lines = `${count(refused, "line")} of ${rows.length}`;
    throw refusal("list", `${lines} cannot be used. Correct the list, and check it again.`);
  }
  return assets;
}

/** The active links of a group by name, with their addresses as values; none if there are too many. */
async function listOffered(c: PageContext, group: string): Promise<Options> {
  const { items, meta } = await listOfferedLinks(c.var.ctx, group);
  if (meta.total > items.length) return [];
  const named = items.map((link) => {
    const address = nameOfAddress(c.var.ctx.config, link);
    const shown = address === link.slug ? `/${address}` : address;
    return { address, name: link.title === null ? shown : `${link.title} · ${shown}` };
  });
  return sortNaturally(named).map(({ address, name }) => [address, name] as const);
}

async function showForm(c: PageContext, slug?: string): Promise<Response> {
  const { ctx, workspace, form } = c.var;
  const text = form && (await readList(form).catch(() => undefined));
  const { link: id, group } = readQuery(query, c);
  const isSent = c.req.method === "POST";
  const links = isSent || group === undefined ? [] : await listOffered(c, group);
  const [only] = links.length === 1 ? links : [];
  const chosen = isSent || only !== undefined ? undefined : await findLink(ctx, id);
  const address = chosen && nameOfAddress(ctx.config, chosen);
  return c.render(
    <Page title="Create several posters" section="assets" crumbs={["assets"]} class="stack">
      {text !== undefined && <ListPreview list={parseAssetList(text)} slug={slug} />}
      <PostForm
        action={href.newAssets(workspace, { group })}
        initial={{ kind: "poster", status: "draft", link: only?.[0] ?? address }}
        enctype="multipart/form-data"
        id={FORM_ID}
        class="narrow card fields"
      >
        {links.length > 1 ? (
          <Picker name="link" label="Link" none="Choose a link" options={links} required />
        ) : (
          <LinkField />
        )}
        <div class="filters">
          <KindSelect />
          <Select name="status" label="Status" options={inWords(["draft", "live"])} required />
        </div>
        <div class="fields either">
          <TextArea
            name="list"
            value={text}
            label="List"
            rows={12}
            hint={`One poster a line, up to ${MAX_ASSETS_OF_LINK}: a name, and if you like a place and a quantity, with commas, semicolons or tabs between them. You can paste cells of a spreadsheet. A first line may name the columns: name, place, quantity.`}
          />
          <FileField label="Or a CSV file" />
        </div>
        <div class="row">
          <button type="submit" name="do" value="check" class={slug === undefined ? "primary" : ""}>
            Check the list
          </button>
          <a
            href={
              group === undefined ? href.assets(workspace) : href.group(workspace, group, { tab: "posters" })
            }
          >
            Cancel
          </a>
        </div>
      </PostForm>
    </Page>,
  );
}

export const showNewAssets = (c: PageContext): Promise<Response> => showForm(c);

export const readListForm = (c: PageContext): Promise<Form> => readLargeForm(c, MAX_LIST_FORM_BYTES);

export async function makeAssets(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const list = parseAssetList(await readList(form));
  const { link = "", kind, status } = form.fields;
  const shared = checked(sharedFields, { link: toLinkReference(link, ctx.config), kind, status });
  const assets = assetsOf(list);
  if (form.fields["do"] !== "create") {
    const { slug } = await getTarget(ctx, shared.link, assets.length);
    return showForm(c, slug);
  }
  const created = await createAssets(ctx, { ...shared, assets });
  const are =
    shared.status === "live"
      ? `${count(created.length, "live poster is", "live posters are")} created.`
      : `${count(created.length, "poster is", "posters are")} created, ${created.length === 1 ? "as a draft" : "as drafts"}.`;
  return redirectWithNotice(
    c,
    href.printAssets(workspace, { id: created.map(({ id }) => id) }),
    `${are} Print the codes, or download their files.`,
  );
}
