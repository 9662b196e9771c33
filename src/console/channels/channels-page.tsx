import { z } from "zod";
import { etagOf } from "../../lib/etag";
import { TEXT_FIELDS } from "../../lib/link-fields";
import { savedChannelInput, TYPED_LINK } from "../../resources/channels/channel-schema";
import {
  changeSavedChannel,
  createSavedChannel,
  getSavedChannel,
  listSavedChannels,
  removeSavedChannel,
  type SavedChannel,
} from "../../resources/channels/channel-service";
import { toConform } from "../../resources/links/link-conventions";
import type { Tag } from "../../resources/tags/tag-schema";
import { listTagsNaturally } from "../../resources/tags/tag-service";
import { ButtonLink } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { EtagField, withEtag } from "../shell/edit-form";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { Ticks } from "../shell/list-controls";
import { checked, type Form, type PageContext, readQuery } from "../shell/page-request";
import { Field, PostForm, Submit } from "../shell/post-form";
import { Table } from "../shell/table";
import { Card, NameLink, quoted } from "../shell/text";

const ChannelFields = ({ tags, chosen = [] }: { tags: readonly Tag[]; chosen?: readonly string[] }) => (
  <>
    <Field name="name" label="Name" required hint="Such as Newsletter Switzerland" />
    <div class="fields halves">
      <Field name="utm_source" label="Source" hint="utm_source" />
      <Field name="utm_medium" label="Medium" hint="utm_medium" />
    </div>
    <Field name="channel" label={TEXT_FIELDS.channel.label} hint={TEXT_FIELDS.channel.hint} />
    <Field
      name="slug_pattern"
      label="Pattern of the short link"
      hint={`${TYPED_LINK} stands for what you type, such as ${TYPED_LINK}-mail. If empty, short links are generated.`}
      type="code"
    />
    {tags.length > 0 && (
      <fieldset>
        <legend>Tags</legend>
        <Ticks name="tag_ids" items={tags} chosen={chosen} />
      </fieldset>
    )}
  </>
);

const namesOf = (tags: readonly Tag[], ids: readonly string[]): string =>
  tags
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(", ");

/** The group whose links are to be created next. */
const query = z.object({ activity_group_id: z.string().max(26).optional() });

export async function showChannels(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const of = readQuery(query, c);
  const several = href.severalLinks(workspace, of);
  const [channels, tags] = await Promise.all([listSavedChannels(ctx), listTagsNaturally(ctx)]);
  return c.render(
    <Page
      title="Saved channels"
      section="links"
      crumbs={["links", { label: "Several links", href: several }]}
      actions={channels.length > 0 && <ButtonLink to={several} label="Create links" />}
      class="stack"
    >
      <Table
        caption="Saved channels by name"
        empty="A saved channel, such as “Newsletter”, remembers the source, medium and tags of its links. “Several links” then makes a link for each channel of a campaign at once."
        rows={channels}
        columns={[
          {
            heading: "Name",
            isName: true,
            cell: ({ id, name }) => <NameLink to={href.channel(workspace, id)} name={name} />,
          },
          {
            heading: "Source",
            kind: "labelled",
            cell: ({ utm_source: source }) => source && <bdi>{source}</bdi>,
          },
          {
            heading: "Medium",
            kind: "labelled",
            cell: ({ utm_medium: medium }) => medium && <bdi>{medium}</bdi>,
          },
          { heading: "Channel", kind: "labelled", cell: ({ channel }) => channel && <bdi>{channel}</bdi> },
          {
            heading: "Short link",
            kind: "labelled",
            cell: ({ slug_pattern: pattern }) => pattern && <code>{pattern}</code>,
          },
          { heading: "Tags", kind: "labelled", cell: ({ tag_ids: ids }) => namesOf(tags, ids) },
        ]}
      />
      <Card id="new-channel" title="Save a channel">
        <PostForm action={href.channels(workspace, of)} class="fields narrow">
          <ChannelFields tags={tags} />
          <Submit label="Save the channel" />
        </PostForm>
      </Card>
    </Page>,
  );
}

const savedAs = ({ id: _, tag_ids: ids, ...fields }: SavedChannel, tags: readonly Tag[]): string =>
  [...Object.values(fields), namesOf(tags, ids)].filter(Boolean).join(", ");

export async function showChannel(c: PageContext): Promise<Response> {
  const { ctx, workspace, form } = c.var;
  const [saved, tags] = await Promise.all([getSavedChannel(ctx, c.req.param("id")), listTagsNaturally(ctx)]);
  const { id, name, tag_ids: chosen, ...fields } = saved;
  return c.render(
    <Page
      title={name}
      section="links"
      crumbs={["links", { label: "Saved channels", href: href.channels(workspace) }]}
      class="stack narrow"
    >
      <PostForm action={href.channel(workspace, id)} initial={{ name, ...fields }} class="card fields">
        <EtagField etag={await etagOf(saved)} saved={savedAs(saved, tags)} />
        <ChannelFields tags={tags} chosen={form?.all("tag_ids") ?? chosen} />
        <Submit label="Save" cancel={href.channels(workspace)} />
      </PostForm>
      <Card id="ending" title="Delete">
        <Dangerous
          summary="Delete this saved channel"
          consequence="Links that were made with it stay as they are."
          action={href.deleteChannel(workspace, id)}
          button="Delete the saved channel"
        />
      </Card>
    </Page>,
  );
}

const inputIn = (form: Form) => checked(savedChannelInput, { ...form.fields, tag_ids: form.all("tag_ids") });

export async function saveChannel(c: PageContext, form: Form): Promise<Response> {
  const input = await toConform(c.var.ctx, inputIn(form));
  await createSavedChannel(c.var.ctx, input);
  const page = href.channels(c.var.workspace, readQuery(query, c));
  return redirectWithNotice(c, page, `The channel ${quoted(input.name)} is saved.`);
}

export async function editChannel(c: PageContext, form: Form): Promise<Response> {
  await changeSavedChannel(withEtag(c.var.ctx, form), c.req.param("id"), inputIn(form));
  return redirectWithNotice(c, href.channels(c.var.workspace), "Saved.");
}

export async function removeChannel(c: PageContext): Promise<Response> {
  await removeSavedChannel(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.channels(c.var.workspace), "The saved channel is deleted.");
}
