import { type AppFiles, setAppFiles } from "../../resources/domains/app-files";
import { EtagField, withEtag } from "../shell/edit-form";
import { here, href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { PostForm, Submit, TextArea } from "../shell/post-form";
import { Card } from "../shell/text";

export const AppsCard = ({ host, files, etag }: { host: string; files: AppFiles; etag: string }) => (
  <Card id="apps" title="Links that open your app">
    <p>
      With a file from the makers of your app, iPhones and Android phones that have the app open links of this
      domain in it. Phones look for the files at /.well-known/, and keep what they find for hours.
    </p>
    <PostForm action={here.domainApps(host)} initial={files} enctype="multipart/form-data" class="fields">
      <EtagField etag={etag} saved="the files of this domain" />
      <TextArea
        name="apple_app_site_association"
        label="iPhone: apple-app-site-association"
        hint="JSON of at most 16 KB. If empty, no file is served."
        rows={3}
      />
      <TextArea name="assetlinks" label="Android: assetlinks.json" hint="In the same way." rows={3} />
      <Submit label="Save" />
    </PostForm>
  </Card>
);

export async function saveApps(c: PageContext, form: Form): Promise<Response> {
  const host = c.req.param("host");
  const read = (name: keyof AppFiles) => form.lines(name).trim() || null;
  await setAppFiles(withEtag(c.var.ctx, form), host, {
    apple_app_site_association: read("apple_app_site_association"),
    assetlinks: read("assetlinks"),
  });
  return redirectWithNotice(c, href.domain(c.var.workspace, host), "The files for apps are saved.");
}
