import type { UsedTag } from "../../resources/tags/service";
import { ShareBar } from "../clicks/shares";
import { TagName } from "../shell/colour";
import { here, type RangeParameters } from "../shell/href";
import { Table } from "../shell/table";
import { count, number } from "../shell/text";

const Links = ({ tag }: { tag: UsedTag }) => {
  const links = tag.active_links + tag.archived_links;
  return (
    <>
      {links === 0 ? (
        "0"
      ) : (
        <a
          href={here.links({ tag: [tag.slug], status: "all" })}
          aria-label={`${count(links, "link")} with ${tag.name}`}
        >
          {number(links)}
        </a>
      )}
      {tag.archived_links > 0 && <span class="soft small"> ({number(tag.archived_links)} archived)</span>}
    </>
  );
};

/** Tags with their links, and their clicks and scans in a range. The bars have one scale. */
export const TagTable = ({
  tags,
  visits,
  parameters,
  during,
}: {
  tags: readonly UsedTag[];
  /** The clicks and scans by id; null if they are not counted. */
  visits: ReadonlyMap<string, number> | null;
  /** Of the range. */
  parameters: RangeParameters;
  during: string;
}) => (
  <Table
    layout="shares"
    caption="Tags by name"
    rows={tags}
    columns={[
      {
        heading: "Name",
        isName: true,
        cell: (tag) => (
          <>
            <a href={here.tag(tag.id, parameters)}>
              <TagName tag={tag} />
            </a>{" "}
            <code class="soft">{tag.slug}</code>
            {tag.description !== null && (
              <div class="soft small">
                <bdi>{tag.description}</bdi>
              </div>
            )}
          </>
        ),
      },
      { heading: "Links", kind: "number", cell: (tag) => <Links tag={tag} /> },
      {
        heading: (
          <>
            Clicks and scans<span class="unseen">: {during}</span>
          </>
        ),
        label: "Clicks and scans",
        kind: "number",
        cell: ({ id }) =>
          visits === null ? (
            "–"
          ) : (
            <>
              {number(visits.get(id) ?? 0)}
              <ShareBar value={visits.get(id) ?? 0} whole={Math.max(0, ...visits.values())} />
            </>
          ),
      },
    ]}
  />
);
