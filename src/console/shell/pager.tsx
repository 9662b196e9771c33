import { Empty, number } from "./text";

interface Meta {
  current_page: number;
  last_page: number;
  total: number;
}

/** Nothing for a page after the last one: what is shown in place of its list says so. */
export const Pager = ({
  meta,
  of,
  previous,
  next,
}: {
  meta: Meta;
  /** What is listed: "links". */
  of: string;
  previous: string | undefined;
  next: string | undefined;
}) =>
  meta.current_page > meta.last_page ? null : (
    <nav class="pager" aria-label="Pages">
      <p>
        {number(meta.total)} {of}
        {meta.last_page > 1 && `, page ${number(meta.current_page)} of ${number(meta.last_page)}`}
      </p>
      <p class="turns">
        {previous !== undefined && (
          <a href={previous} rel="prev">
            Previous
          </a>
        )}
        {next !== undefined && (
          <a href={next} rel="next">
            Next
          </a>
        )}
      </p>
    </nav>
  );

/** In place of the list, for a page after the last one. */
export const NoSuchPage = ({ meta, href }: { meta: Meta; href: string }) => (
  <Empty>
    <p>
      There is no page {number(meta.current_page)}. The last one is page {number(meta.last_page)}.
    </p>
    <a class="button" href={href}>
      Show the last page
    </a>
  </Empty>
);
