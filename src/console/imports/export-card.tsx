import { MAX_ROWS } from "../../resources/imports/file";
import { href } from "../href";
import { Card, number } from "../shell/text";

/** The files of the export. */
export const ExportCard = ({ workspace, files }: { workspace: string; files: number }) => (
  <Card id="export" title="Export links">
    <p>
      Every link of this workspace, active and archived, as CSV. Excel, Numbers and Google Sheets open it, and
      importing it gives the same links again, with the slugs that they had before, where there are the same
      Activity Groups. Clicks, assets and the times of creation stay behind.
    </p>
    {files === 1 ? (
      <p>
        <a class="button" href={href.export(workspace)} download>
          Download all links
        </a>
      </p>
    ) : (
      <>
        <p>
          There is a file for every {number(MAX_ROWS)} links, as many as an import takes (of 10 MB at most).
          Links that are deleted between two downloads move the others to earlier files: if that happens, take
          all files again.
        </p>
        <nav class="row" aria-label="Files of the export">
          {Array.from({ length: files }, (_, index) => (
            <a class="button" href={href.export(workspace, { part: index + 1 })} download>
              Part {index + 1} of {files}
            </a>
          ))}
        </nav>
      </>
    )}
    <p class="hint">
      A cell that a spreadsheet would run as a formula begins with an apostrophe, which an import takes away.
    </p>
  </Card>
);
