import type { Link } from "../../resources/links/schema";
import { href } from "../href";
import { DOTS_PER_INCH, PRINT_SIZES_MM, toPixels } from "../print/print-size";

/** A link's QR code and its downloads. */
export const LinkQr = ({ workspace, link }: { workspace: string; link: Link }) => (
  <section class="card" id="qr" aria-labelledby="qr-heading">
    <h2 id="qr-heading">QR code</h2>
    {link.status === "archived" ? (
      <p class="soft">
        An archived link has none, so that nothing new is printed with it. Codes that are printed already go
        on working.
      </p>
    ) : (
      <>
        <img
          class="qr"
          src={href.qr(workspace, link.id)}
          width="512"
          height="512"
          alt={`QR code of ${link.short_url}`}
        />
        <p>
          <a class="button" href={href.qr(workspace, link.id, { download: "1" })}>
            Download SVG, for any size
          </a>
        </p>
        <h3>PNG for print, at {DOTS_PER_INCH} dpi</h3>
        <ul class="downloads">
          {PRINT_SIZES_MM.map((millimetres) => {
            const size = toPixels(millimetres);
            return (
              <li>
                <a href={href.qr(workspace, link.id, { print: millimetres, download: "1" })}>
                  {millimetres} mm <span class="small">({size} pixels)</span>
                </a>
              </li>
            );
          })}
        </ul>
      </>
    )}
  </section>
);
