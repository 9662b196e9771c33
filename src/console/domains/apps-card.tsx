import { type AppFiles, setAppFiles } from "../../resources/domains/app-files";
import { EtagField, withEtag } from "../shell/edit-form";
import { here, href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { PostForm, Submit, TextArea } from "../shell/post-form";
import { Card } from "../shell/text";

export const AppsCard = ({ host, files, etag }: { host: string; files: AppFiles; etag: string }) => (
  <Card id="apps" title="Apps">
    <PostForm action={here.domainApps(host)} initial={files} enctype="multipart/form-data" class="fields">
      <EtagField etag={etag} saved="the files of this domain" />
      <TextArea
        name="apple_app_site_association"
        label="apple-app-site-association"
        hint="For iOS: the JSON that the makers of the app give you, at most 16 KB. If empty, no file is served."
        rows={6}
      />
      <TextArea name="assetlinks" label="assetlinks.json" hint="For Android, in the same way." rows={6} />
      <Submit label="Save" />
    </PostForm>
    <p class="hint">Phones look for them at /.well-known/, and keep what they find for hours.</p>
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
