import { noPage } from "../../errors";
import { PLAIN_SLUG } from "../../lib/validation";
import { href } from "./href";
import type { PageContext } from "./page-request";
import { serviceContext } from "./service-context";

/**
 * The OpenSearch description by which a browser searches the links of a workspace from its address bar. It says nothing but the
 * slug of its own address, whether there is such a workspace or not.
 */
export function sendSearchDescription(c: PageContext): Response {
  const slug = c.req.param("workspace") ?? "";
  if (!PLAIN_SLUG.test(slug)) throw noPage();
  const { baseUrl } = serviceContext(c).config;
  // The braces must stand as they are.
  const template = `${baseUrl}${href.links(slug, { status: "all" })}&amp;q={searchTerms}`;
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Waymark ${slug}</ShortName>
<Description>Links of ${slug}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="32" height="32" type="image/svg+xml">${baseUrl}/favicon.ico</Image>
<Url type="text/html" method="get" template="${template}"/>
</OpenSearchDescription>
`;
  return c.body(body, 200, { "Content-Type": "application/opensearchdescription+xml; charset=utf-8" });
}
