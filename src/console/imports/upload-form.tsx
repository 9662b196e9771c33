import { TEXT_FIELD_NAMES } from "../../lib/link-fields";
import { MAX_FILE_MEGABYTES, MAX_ROWS } from "../../resources/imports/file";
import type { Tag } from "../../resources/tags/schema";
import { href } from "../href";
import { TagBoxes } from "../links/tag-boxes";
import { Field } from "../shell/form";
import { Refusal } from "../shell/layout";
import { Picker, toOptions } from "../shell/picker";
import type { Problem } from "../shell/problem";
import { Fact, number } from "../shell/text";

/** The title has a line of its own. */
const OTHER_TEXTS = TEXT_FIELD_NAMES.filter((name) => name !== "title");

const COLUMNS: readonly (readonly [says: string, names: string])[] = [
  ["Where it leads (needed)", "destination_url, long_url, Destination URL, originalURL, target, url"],
  [
    "Its slug",
    "slug, key, keyword, path, address, short_url, Custom Link, link: a slug, or a short link with nothing after the slug",
  ],
  ["Slugs that it had before", "old_slugs: separated by spaces; they go on leading to it"],
  ["Its title", "title, description"],
  ["Its tags", "tags: separated by commas, semicolons or bars; new ones are made"],
  ["Its Activity Group", "activity_group: a slug, an id or a name"],
  ["Its channel and UTM values", [...OTHER_TEXTS, "utm_campaign"].join(", ")],
  [
    "When it starts and ends",
    "starts_at, ends_at, expiresAt: times with a zone, such as 2026-06-01T08:00:00Z",
  ],
  ["Where visitors go after the end", "ended_url, expiredURL"],
  ["Whether it is archived", "status: active or archived; archived: true or false"],
];

/** What the form offers for every link of a file, and what is chosen. */
interface UploadChoices {
  groups: readonly { id: string; slug: string; name: string }[];
  tags: readonly Tag[];
  chosen: {
    group: string | undefined;
    tags: readonly string[];
    /** Names of tags to create. */
    newTags: string;
  };
}

/** The Activity Group and the tags that every link of a file gets. */
const ForAllFields = ({
  choices: {
    groups,
    tags,
    chosen: { group, tags: chosenTags, newTags },
  },
  problem,
}: {
  choices: UploadChoices;
  problem: Problem | undefined;
}) => (
  <details open={group !== undefined || chosenTags.length > 0 || newTags !== ""}>
    <summary>Activity Group and tags for every link</summary>
    <div class="fields">
      <Picker
        label="Activity Group"
        name="activity_group_id"
        none="None"
        value={groups.find(({ id, slug }) => group === slug || group?.toUpperCase() === id)?.id ?? group}
        options={toOptions(groups)}
        hint="A row that names another goes there."
        problem={problem}
      />
      <TagBoxes
        tags={tags}
        chosen={chosenTags}
        names={newTags}
        created="when the file is checked"
        problem={problem}
      />
    </div>
  </details>
);

/** The form for a CSV file. */
export const Upload = ({
  workspace,
  choices,
  problem,
}: {
  workspace: string;
  choices: UploadChoices;
  problem: Problem | undefined;
}) => (
  <form
    class="card"
    method="post"
    action={href.imports(workspace)}
    enctype="multipart/form-data"
    aria-labelledby="upload"
  >
    <h2 id="upload">Import links</h2>
    {problem?.errors["file"] === undefined && <Refusal problem={problem} />}
    <Field
      label="CSV file"
      name="file"
      type="file"
      required
      problem={problem}
      hint={`Up to ${number(MAX_ROWS)} rows and ${MAX_FILE_MEGABYTES} MB, in UTF-8, separated by commas, semicolons or tabs. The first row names the columns.`}
      attributes={{ accept: ".csv,.tsv,.txt,text/csv", value: undefined }}
    />
    <ForAllFields choices={choices} problem={problem} />
    <p class="soft">
      The file is checked first. You see what each row would do, and no link is made until you say so.
    </p>
    <div class="row">
      <button type="submit" class="primary">
        Check the file
      </button>
      <a href={href.exampleImport(workspace)} download>
        Download an example
      </a>
    </div>
    <details>
      <summary>Which columns are understood</summary>
      <p>
        Those that Waymark, Bitly, Rebrandly, Short.io, Shlink, Dub, Kutt and YOURLS export. Case, spaces and
        underscores do not matter, and other columns are ignored.
      </p>
      <dl class="facts">
        {COLUMNS.map(([says, names]) => (
          <Fact name={says}>{names}</Fact>
        ))}
      </dl>
    </details>
  </form>
);
