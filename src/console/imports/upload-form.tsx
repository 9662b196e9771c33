import { MAX_FILE_MEGABYTES, MAX_ROWS } from "../../resources/imports/import-file";
import type { Tag } from "../../resources/tags/tag-schema";
import { TagBoxes } from "../links/tag-boxes";
import { Button } from "../shell/button";
import { here } from "../shell/href";
import { currentPage } from "../shell/page-request";
import { Picker, toOptions } from "../shell/picker";
import { FileField, PostForm, Select, Tick } from "../shell/post-form";
import { Fact, number } from "../shell/text";
import { OTHER_TEXTS } from "./import-rows";

const COLUMNS: readonly (readonly [says: string, names: string])[] = [
  ["Where it leads (needed)", "destination_url, long_url, Destination URL, originalURL, target, url"],
  [
    "Its slug",
    "slug, key, keyword, path, address, short_url, Custom Link, link: a slug, or a short link with nothing after the slug",
  ],
  ["Slugs that it had before", "old_slugs: separated by spaces; they go on leading to it"],
  ["Its title", "title, description"],
  ["Its tags", "tags: separated by commas, semicolons or bars; new ones are made"],
  ["Its group", "activity_group: a slug, an id or a name"],
  ["Its channel and UTM values", [...OTHER_TEXTS, "utm_campaign"].join(", ")],
  [
    "When it starts and ends",
    "starts_at, ends_at, expiresAt: dates or times, such as 31.12.2026, 2026-05-01 18:00 or 2026-06-01T08:00:00Z",
  ],
  ["Where visitors go after the end", "ended_url, expiredURL"],
  ["Its note", "note: at most 2,000 characters, of several lines in quotation marks"],
  ["What chats show of it", "preview_title, preview_text, preview_image_url"],
  [
    "When it was made, and its clicks so far",
    "created_at, Created, timestamp: a time, in the workspace’s zone if it names none; clicks_before, clicks, visits, visit_count, hits: a number",
  ],
  ["Whether it is archived", "status: active or archived; archived: true or false"],
];

const EXISTING_OPTIONS = [
  ["refuse", "Refuse the row"],
  ["update", "Update the link"],
] as const;

interface Choices {
  groups: readonly { id: string; slug: string; name: string }[];
  tags: readonly Tag[];
}

/** The Activity Group and the tags that every link of a file gets. The address may name a group. */
const ForAllFields = ({ groups, tags }: Choices) => {
  const { req, var: page } = currentPage();
  const { form } = page;
  const group = form === undefined ? req.query("group") : form.fields["activity_group_id"]?.trim();
  const chosen = (form?.all("tag_ids") ?? []).filter((id) => id !== "");
  return (
    <details open={Boolean(group || chosen.length > 0 || form?.fields["new_tags"])}>
      <summary>Group and tags for every new link</summary>
      <div class="fields">
        <Picker
          label="Group"
          name="activity_group_id"
          none="None"
          value={groups.find(({ id, slug }) => group === slug || group?.toUpperCase() === id)?.id ?? group}
          options={toOptions(groups)}
          hint="A row that names another goes there."
        />
        <TagBoxes tags={tags} chosen={chosen} created="with the links" />
      </div>
    </details>
  );
};

export const Upload = (choices: Choices) => (
  <PostForm action={here.imports()} enctype="multipart/form-data" class="card" aria-labelledby="upload">
    <h2 id="upload">Import links</h2>
    <FileField
      label="CSV file"
      required
      hint={`Up to ${number(MAX_ROWS)} rows and ${MAX_FILE_MEGABYTES} MB, separated by commas, semicolons or tabs, and best in UTF-8: in other files you may be asked which letters are right. The first row names the columns.`}
    />
    <Select
      label="Rows whose short link or external ID exists"
      name="existing"
      options={EXISTING_OPTIONS}
      hint="An update changes only fields that the file has a column for. An empty cell clears its field, except the destination. Tags in the file replace those of the link."
      required
    />
    <Tick
      label="Mend damaged destinations"
      name="mends"
      hint="Turns “&amp;amp;” and a second “?” into “&”, moves UTM parameters from after “#” to before it, and keeps the first of two values. If this is off, the check names the rows that need it."
    />
    <ForAllFields {...choices} />
    <p class="soft">The file is checked first: you see what each row would do before any link is created.</p>
    <div class="row">
      <Button label="Check the file" kind="primary" />
      <a href={here.exampleImport()} download>
        Download an example
      </a>
    </div>
    <details>
      <summary>Which columns are understood</summary>
      <p>
        Those that Waymark, Bitly, Rebrandly, Short.io, Shlink, Dub, Kutt and YOURLS export. Case, spaces and
        underscores do not matter. Names in German, French, Italian and Spanish are known too, such as
        Adresse, Titel and Enddatum. You are asked what other columns are.
      </p>
      <dl class="facts">
        {COLUMNS.map(([says, names]) => (
          <Fact name={says}>{names}</Fact>
        ))}
      </dl>
    </details>
  </PostForm>
);
