import type { Link } from "../../resources/links/schema";
import { getLinkQr } from "../../resources/qr/service";
import { QrFiles, sendQr } from "../print/qr-files";
import { here } from "../shell/href";
import type { PageContext } from "../shell/request";

/** A link's QR code and its downloads. */
export const LinkQr = ({ link }: { link: Link }) => (
  <section class="card" id="qr" aria-labelledby="qr-heading">
    <h2 id="qr-heading">QR code</h2>
    {link.status === "archived" ? (
      <p class="soft">
        An archived link has none, so that nothing new is printed with it. Codes that are printed already go
        on working.
      </p>
    ) : (
      <QrFiles url={link.short_url} hrefOf={(query) => here.qr(link.id, query)} />
    )}
  </section>
);

export const sendLinkQr = (c: PageContext): Promise<Response> =>
  sendQr(c, (options) => getLinkQr(c.var.ctx, c.req.param("id"), options));
