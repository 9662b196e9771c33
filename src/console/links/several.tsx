import { invalid } from "../../errors";
import { fold, MAX_SLUG_CHARACTERS } from "../../lib/slug-text";
import { supplyScheme } from "../../lib/supplied-scheme";
import { check, trimmed } from "../../lib/validation";
import { listAllActivityGroups } from "../../resources/activity-groups/manage";
import type { ActivityGroup } from "../../resources/activity-groups/schema";
import { slugOf } from "../../resources/channels/schema";
import { listSavedChannels, type SavedChannel } from "../../resources/channels/service";
import { listServedDomains } from "../../resources/domains/service";
import { primaryOf } from "../../resources/links/choose-domain";
import { conform, readStoredConventions } from "../../resources/links/conventions";
import { createSeveral, MAX_SEVERAL_LINKS } from "../../resources/links/create-several";
import type { RowError } from "../../resources/links/errors";
import { previewLink } from "../../resources/links/preview";
import { type CreateLink, createLinkForm } from "../../resources/links/schema";
import type { Tag } from "../../resources/tags/schema";
import { listTagsNaturally } from "../../resources/tags/service";
import { ButtonLink } from "../shell/button";
import { sayOf } from "../shell/error-labels";
import { Field, HiddenFields, type Options, PostForm, Select } from "../shell/form";
import { here, href } from "../shell/href";
import { Page, Refusal, redirectWithNotice } from "../shell/layout";
import { TickAll } from "../shell/list";
import { Picker, toOptions } from "../shell/picker";
import type { Form, PageContext } from "../shell/request";
import { Table } from "../shell/table";
import { count, Empty } from "../shell/text";
import { Destination } from "./link-text";

/** The fields of each link that can be edited before it is created. */
const EDITED = ["slug", "utm_source", "utm_medium", "channel"] as const;
type Edited = (typeof EDITED)[number];

/** A link that is to be created. */
interface Row extends Record<Edited, string> {
  saved: SavedChannel;
  tags: readonly Tag[];
  target: string | null;
}

const nameOf = (saved: SavedChannel, field: Edited): string => `${saved.id}.${field}`;

/** What all links have in common. */
function sharedIn({ fields }: Form) {
  const { destination_url = "", link = "", title = "", ...others } = fields;
  return {
    destination_url: supplyScheme(destination_url.trim()),
    // A longer one is refused, and must not be repeated in every short link of that page.
    link: link.trim().slice(0, MAX_SLUG_CHARACTERS),
    title: title.trim(),
    domain: others["domain"] ?? "",
    activity_group_id: others["activity_group_id"] ?? "",
    utm_campaign: (others["utm_campaign"] ?? "").trim(),
  };
}

type Shared = ReturnType<typeof sharedIn>;

/** The links of the chosen channels, with what a person has changed in them. */
function rowsIn(
  form: Form,
  {
    channels,
    tags,
    groups,
  }: { channels: readonly SavedChannel[]; tags: readonly Tag[]; groups: readonly ActivityGroup[] },
): Row[] {
  const shared = sharedIn(form);
  const chosen = new Set(form.all("channels"));
  const group = groups.find(({ id }) => id === shared.activity_group_id);
  return channels
    .filter(({ id }) => chosen.has(id))
    .map((saved) => {
      const typed = (field: Edited, first: string | null) =>
        (form.fields[nameOf(saved, field)] ?? first ?? "").trim();
      const values = {
        slug: typed("slug", slugOf(saved.slug_pattern, shared.link) ?? ""),
        utm_source: typed("utm_source", saved.utm_source),
        utm_medium: typed("utm_medium", saved.utm_medium),
        channel: typed("channel", saved.channel),
      };
      const { target } = previewLink({
        ...values,
        destination_url: shared.destination_url,
        utm_campaign: shared.utm_campaign || null,
        namesGroup: true,
        group,
        present: undefined,
        refusal: undefined,
        isKept: false,
        isTakenDown: false,
      });
      return { ...values, saved, tags: tags.filter(({ id }) => saved.tag_ids.includes(id)), target };
    });
}

/** The link of a row as the service takes it. */
const inputOf = ({ title, destination_url, domain, activity_group_id, utm_campaign }: Shared, row: Row) => ({
  ...{ destination_url, domain, activity_group_id, utm_campaign },
  title: title === "" ? row.saved.name : `${title}, ${row.saved.name}`,
  ...{ slug: row.slug, utm_source: row.utm_source, utm_medium: row.utm_medium, channel: row.channel },
  tag_ids: row.tags.map(({ id }) => id),
});

/** The errors of each row, by its place. */
type Refused = ReadonlyMap<number, readonly RowError[]>;

const NONE: Refused = new Map();

const refusal = (field: string, message: string) => invalid([{ field, message, code: "limit" }]);

/** Throws 422 for what no preview can show. */
function assertShowable(form: Form): void {
  const channels = form.all("channels").length;
  if (channels === 0) throw refusal("channels", "Select at least one channel.");
  if (channels > MAX_SEVERAL_LINKS)
    throw refusal("channels", `Select at most ${MAX_SEVERAL_LINKS} channels.`);
  if ((form.fields["link"] ?? "").trim().length > MAX_SLUG_CHARACTERS)
    throw refusal("link", `The short link has at most ${MAX_SLUG_CHARACTERS} characters.`);
}

const AS_TYPED: Readonly<Record<string, string>> = {
  autocomplete: "off",
  spellcheck: "false",
  autocapitalize: "none",
};

const RowTable = ({ rows, refused }: { rows: readonly Row[]; refused: Refused }) => {
  const field = (row: Row, name: Edited, label: string) => (
    <input
      name={nameOf(row.saved, name)}
      value={row[name]}
      aria-label={`${label} of ${row.saved.name}`}
      {...AS_TYPED}
    />
  );
  return (
    <Table
      caption="The links that will be created"
      rows={rows.map((row, index) => ({ row, errors: refused.get(index) ?? [] }))}
      columns={[
        {
          heading: "Saved channel",
          isName: true,
          cell: ({ row: { saved, target, tags }, errors }) => (
            <>
              <bdi>{saved.name}</bdi>
              {target !== null && (
                <div class="small">
                  <Destination url={target} />
                </div>
              )}
              {tags.length > 0 && <div class="soft small">{tags.map(({ name }) => name).join(", ")}</div>}
              {errors.length > 0 && (
                <p class="refused">{errors.map((error) => sayOf(error.field, error.message)).join(" ")}</p>
              )}
            </>
          ),
        },
        { heading: "Short link", cell: ({ row }) => field(row, "slug", "Short link") },
        { heading: "Source", cell: ({ row }) => field(row, "utm_source", "Source") },
        { heading: "Medium", cell: ({ row }) => field(row, "utm_medium", "Medium") },
        { heading: "Channel", cell: ({ row }) => field(row, "channel", "Channel") },
      ]}
    />
  );
};

const Ticks = ({ channels, chosen }: { channels: readonly SavedChannel[]; chosen: readonly string[] }) => (
  <fieldset>
    <legend>Channels</legend>
    <TickAll name="channels" label="Select all" />
    <div class="ticks">
      {channels.map(({ id, name }) => (
        <label class="tick">
          <input type="checkbox" name="channels" value={id} checked={chosen.includes(id)} />
          <bdi>{name}</bdi>
        </label>
      ))}
    </div>
    <p class="hint">
      <a href={here.channels()}>Saved channels</a> say what their links have in common.
    </p>
  </fieldset>
);

const SharedFields = ({
  groups,
  hosts,
  primary,
}: {
  groups: Options;
  hosts: readonly string[];
  primary: string;
}) => (
  <>
    <Field
      name="destination_url"
      label="Destination"
      required
      hint="Where all of them lead, such as www.example.com/sale"
      attributes={{ inputmode: "url", spellcheck: "false", autocapitalize: "none" }}
    />
    <Field
      name="link"
      label="Short link"
      hint="Such as summer. The pattern of each channel makes a short link of it, such as summer-mail. If it is empty, short links are made for you."
      attributes={{ spellcheck: "false", autocapitalize: "none", maxlength: 64 }}
    />
    {hosts.length > 0 && (
      <Select name="domain" label="Domain" value={primary} options={hosts.map((host) => [host, host])} />
    )}
    <Field name="title" label="Title" hint="Each link has the name of its channel behind it." />
    <Picker name="activity_group_id" label="Activity Group" none="None" options={groups} />
    <Field name="utm_campaign" label="Campaign" hint="utm_campaign, else the Activity Group’s" />
  </>
);

/** The links as they will be, in a form of their own: what was typed above since they were shown is not in it. */
const Shown = ({ shared, rows, refused }: { shared: Shared; rows: readonly Row[]; refused: Refused }) => (
  <PostForm action={here.severalLinks()} class="stack">
    <HiddenFields fields={{ ...shared, channels: rows.map(({ saved }) => saved.id) }} />
    <RowTable rows={rows} refused={refused} />
    <p class="row">
      <button type="submit" name="do" value="create" class="primary">
        Create {count(rows.length, "link")}
      </button>
      <span class="soft">Nothing has been created yet.</span>
    </p>
  </PostForm>
);

const readLists = async ({ var: { ctx } }: PageContext) => {
  const [channels, tags, groups, domains, conventions] = await Promise.all([
    listSavedChannels(ctx),
    listTagsNaturally(ctx),
    listAllActivityGroups(ctx),
    listServedDomains(ctx),
    readStoredConventions(ctx),
  ]);
  return { channels, tags, groups, domains, conventions };
};

type Lists = Awaited<ReturnType<typeof readLists>>;

/** Links of one destination for several channels, as they will be, before they are created. */
async function show(c: PageContext, lists: Lists, rows: readonly Row[], refused: Refused): Promise<Response> {
  const { ctx, workspace, form } = c.var;
  const { channels, groups, domains } = lists;
  const hosts = domains.length === 0 ? [] : [ctx.config.shortHost, ...domains.map(({ host }) => host)];
  const shared = form && sharedIn(form);
  return c.render(
    <Page title="Several links" section="links" crumbs={["links"]} class="stack">
      <Refusal />
      {channels.length === 0 ? (
        <Empty text="Save the channels that you use again and again first: each with its source, medium and tags.">
          <ButtonLink to={href.channels(workspace)} label="Save a channel" isPrimary />
        </Empty>
      ) : (
        <>
          {shared !== undefined && rows.length > 0 && <Shown shared={shared} rows={rows} refused={refused} />}
          <PostForm action={href.severalLinks(workspace)} class="card fields narrow">
            <SharedFields
              groups={toOptions(groups)}
              hosts={hosts}
              primary={shared?.domain || primaryOf(domains) || ctx.config.shortHost}
            />
            <Ticks channels={channels} chosen={form?.all("channels") ?? []} />
            <p class="row">
              <button type="submit" name="do" value="check" class={rows.length === 0 ? "primary" : ""}>
                Show the links
              </button>
              <a href={href.links(workspace)}>Cancel</a>
            </p>
          </PostForm>
        </>
      )}
    </Page>,
  );
}

export const showSeveral = async (c: PageContext): Promise<Response> => show(c, await readLists(c), [], NONE);

/** The rows as links, or what is wrong with them. */
function checkRows({ conventions }: Pick<Lists, "conventions">, shared: Shared, rows: readonly Row[]) {
  const links: CreateLink[] = [];
  const refused = new Map<number, readonly RowError[]>();
  const slugs = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const result = check(createLinkForm, trimmed(inputOf(shared, row)));
    if (!result.ok) {
      refused.set(index, result.failures);
      continue;
    }
    const { input, problems } = conform(conventions, result.value);
    const slug = fold(row.slug);
    if (slug !== "" && slugs.has(slug))
      problems.push({ field: "slug", message: "Two of the links have this short link.", code: "taken" });
    slugs.add(slug);
    if (problems.length > 0) refused.set(index, problems);
    links.push(input);
  }
  return { links, refused };
}

/** Shows the links, or creates them as they were shown. */
export async function makeSeveral(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  assertShowable(form);
  const lists = await readLists(c);
  const shared = sharedIn(form);
  const rows = rowsIn(form, lists);
  const { links, refused } = checkRows(lists, shared, rows);
  if (form.fields["do"] !== "create") return show(c, lists, rows, refused);
  const refuse = (message: string, marked: Refused): Promise<Response> => {
    c.set("problem", { status: 422, message, errors: {} });
    c.status(422);
    return show(c, lists, rows, marked);
  };
  const notAsShown = (marked: Refused) =>
    refuse(
      `${count(marked.size, "link")} cannot be created as shown, so none is. Change what is marked.`,
      marked,
    );
  if (rows.length < new Set(form.all("channels")).size)
    return refuse("A saved channel was deleted meanwhile. Look at the links again.", refused);
  if (refused.size > 0) return notAsShown(refused);
  const created = await createSeveral(ctx, links, lists.domains);
  if ("refused" in created) return notAsShown(created.refused);
  const many = created.ids.length;
  const notice = `${count(many, "link")} ${many === 1 ? "is" : "are"} ready.`;
  return redirectWithNotice(c, href.links(workspace), notice, created.batch);
}
