import { type listDated, MAX_COUNTED_LINKS } from "../../resources/workspaces/change-zone";
import { here } from "../shell/href";
import { count, NameLink, number } from "../shell/text";

const MAX_NAMED = 10;

const Named = ({
  names,
  total,
}: {
  names: readonly (readonly [to: string, name: string])[];
  total: string;
}) => (
  <>
    {names.map(([to, name], index) => (
      <>
        {index > 0 && ", "}
        <NameLink to={to} name={name} />
      </>
    ))}
    {total !== "" && ` and ${total} more`}
  </>
);

/** What has days, and so moves with the time zone. */
export const Dated = ({ groups, links, count: total }: Awaited<ReturnType<typeof listDated>>) => {
  if (groups.length + total === 0) return null;
  const more = (all: number, most = all) =>
    all <= MAX_NAMED ? "" : `${all > most ? "more than " : ""}${number(Math.min(all, most) - MAX_NAMED)}`;
  const isMany = total > MAX_COUNTED_LINKS;
  const one = groups.length === 1;
  return (
    <>
      {groups.length > 0 && (
        <p class="hint">
          With another time zone {count(groups.length, "group")}{" "}
          {one ? "keeps its days, which begin and end" : "keep their days, which begin and end"} by the clocks
          of the new one, and so do the links that end with {one ? "it" : "them"}:{" "}
          <Named
            names={groups
              .slice(0, MAX_NAMED)
              .map(({ public_id: id, name }) => [here.group(id, { tab: "settings" }), name])}
            total={more(groups.length)}
          />
          . Starts and ends with a time stay as they are.
        </p>
      )}
      {total > 0 && (
        <p class="hint">
          With another time zone {isMany && "more than "}
          {count(Math.min(total, MAX_COUNTED_LINKS), "link")} {total === 1 ? "keeps its" : "keep their"} own
          days, which begin and end by the clocks of the new one:{" "}
          <Named
            names={links.map((link) => [here.link(link.public_id), link.title ?? link.slug])}
            total={more(total, MAX_COUNTED_LINKS)}
          />
          . {total === 1 ? "It" : "Some"} may open or end at once.
        </p>
      )}
    </>
  );
};
