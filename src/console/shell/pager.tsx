import { number } from "./text";

interface Meta {
  current_page: number;
  last_page: number;
  total: number;
}

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
}) => (
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
