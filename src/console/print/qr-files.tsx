import { ButtonLink } from "../shell/button";
import { DOTS_PER_INCH, PRINT_SIZES_MM, toPixels } from "./settings";

type Query = { readonly [Name in "print" | "download"]?: string | number };

/** A QR code and its files to print. */
export const QrFiles = ({
  url,
  hrefOf,
  printHref,
}: {
  /** What the code has. */
  url: string;
  hrefOf: (query: Query) => string;
  /** The page that prints it, if there is one. */
  printHref?: string;
}) => (
  <>
    <img class="qr" src={hrefOf({})} alt={`QR code of ${url}`} width="512" height="512" />
    <p class="row">
      <ButtonLink to={hrefOf({ download: "1" })} label="Download SVG, for any size" />
      {printHref !== undefined && <ButtonLink to={printHref} label="Print it" />}
    </p>
    <h3>PNG for print, at {DOTS_PER_INCH} dpi</h3>
    <ul class="downloads">
      {PRINT_SIZES_MM.map((millimetres) => (
        <li>
          <a href={hrefOf({ print: millimetres, download: "1" })}>
            {millimetres} mm <span class="small">({toPixels(millimetres)} pixels)</span>
          </a>
        </li>
      ))}
    </ul>
  </>
);
