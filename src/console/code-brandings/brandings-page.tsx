import { z } from "zod";
import { toPixels } from "../../lib/print-size";
import type { Look } from "../../resources/code-brandings/branded-code";
import {
  type CodeBranding,
  createCodeBranding,
  listCodeBrandings,
} from "../../resources/code-brandings/code-branding-service";
import { getAssetWithQr } from "../../resources/engagement/asset-qr";
import { assertQrPath } from "../../resources/qr/link-qr";
import { densityChunk } from "../../resources/qr/render";
import { PRINT_SIZES_MM } from "../print/print-settings";
import { PRINT_PIXELS_PER_METRE } from "../print/qr-files";
import { ButtonLink } from "../shell/button";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { currentPage, type Form, type PageContext, readQuery } from "../shell/page-request";
import { PostForm } from "../shell/post-form";
import { Card, quoted } from "../shell/text";
import {
  BrandingButtons,
  BrandingFields,
  Example,
  PlanWarning,
  readBranding,
  readShown,
} from "./branding-fields";

const query = z.object({ link: z.string().optional(), asset: z.string().optional() });

/** What the codes of a page have. */
interface Subject {
  url: string;
  slug: string;
  page: string;
  fileOf: (branding: string, query?: { download: "1" }) => string;
}

async function findSubject(c: PageContext): Promise<Subject | undefined> {
  const { ctx, workspace } = c.var;
  const { link, asset } = readQuery(query, c);
  if (link !== undefined) {
    const { id, short_url: url, slug } = await assertQrPath(ctx, link);
    const fileOf: Subject["fileOf"] = (branding, more) => href.brandedQr(workspace, id, branding, more);
    return { url, slug, page: href.link(workspace, id), fileOf };
  }
  if (asset === undefined) return undefined;
  const { id, code_url: url, code: slug } = await getAssetWithQr(ctx, asset);
  const fileOf: Subject["fileOf"] = (branding, more) => href.brandedAssetQr(workspace, id, branding, more);
  return { url, slug, page: href.asset(workspace, id), fileOf };
}

/** The PNG chunk that the browser puts into a file, in base64. */
const DENSITY = btoa(String.fromCharCode(...densityChunk(PRINT_PIXELS_PER_METRE)));

const Files = ({
  branding: { id },
  subject: { url, slug, fileOf },
}: {
  branding: CodeBranding;
  subject: Subject;
}) => (
  <>
    <img class="qr" src={fileOf(id)} alt={`QR code of ${url}`} width="512" loading="lazy" />
    <div class="row">
      <ButtonLink to={fileOf(id, { download: "1" })} label="Download SVG" icon="download" />
      {PRINT_SIZES_MM.map((millimetres) => (
        <button
          type="button"
          data-png={fileOf(id)}
          data-pixels={toPixels(millimetres)}
          data-density={DENSITY}
          data-name={`${slug}-${millimetres}mm.png`}
          hidden
        >
          PNG, {millimetres} mm
        </button>
      ))}
    </div>
  </>
);

const BrandingCard = ({ branding, subject }: { branding: CodeBranding; subject: Subject | undefined }) => {
  const { isEditor } = currentPage().var;
  const { id, name, colour, call } = branding;
  return (
    <Card id={`branding-${id}`} title={<bdi>{name}</bdi>}>
      {subject === undefined ? (
        <Example of={name} look={branding} />
      ) : (
        <Files branding={branding} subject={subject} />
      )}
      <p class="small soft">
        <code>{colour}</code>
        {call !== null && (
          <>
            , <bdi>{call}</bdi>
          </>
        )}
      </p>
      {isEditor && subject === undefined && <a href={here.branding(id)}>Edit or delete</a>}
    </Card>
  );
};

/** The brandings of codes: with the code of a link or an asset, or with an example. */
export const showCodeBrandings = (c: PageContext): Promise<Response> => showPage(c);

async function showPage(c: PageContext, shown?: Look): Promise<Response> {
  const { ctx, workspace, isEditor } = c.var;
  const [brandings, subject] = await Promise.all([listCodeBrandings(ctx), findSubject(c)]);
  return c.render(
    <Page
      title={subject === undefined ? "QR codes in your colours" : `QR codes of /${subject.slug}`}
      section="codes"
      crumbs={subject === undefined ? [] : [{ label: `/${subject.slug}`, href: subject.page }]}
      class="stack"
    >
      <p>
        A branding gives QR codes a colour, a logo and a frame with a call to action. Before it is saved, its
        codes are read back at 25 mm, so that they scan.{" "}
        {subject === undefined &&
          "“In your colours” on the page of a link or a poster has its code in every branding. "}
        Codes of the API stay black on white.
      </p>
      <PlanWarning />
      {brandings.length > 0 && (
        <div class="cards">
          {brandings.map((branding) => (
            <BrandingCard branding={branding} subject={subject} />
          ))}
        </div>
      )}
      {isEditor && subject !== undefined && (
        <p>
          <ButtonLink
            to={href.brandings(workspace)}
            label={brandings.length === 0 ? "Make a branding" : "All brandings"}
          />
        </p>
      )}
      {isEditor && subject === undefined && (
        <Card id="new-branding" title="New branding">
          <PostForm action={href.brandings(workspace)} enctype="multipart/form-data" class="fields narrow">
            <BrandingFields />
            <BrandingButtons action={href.brandings(workspace)} label="Save the branding" shown={shown} />
          </PostForm>
        </Card>
      )}
    </Page>,
  );
}

export async function saveCodeBranding(c: PageContext, form: Form): Promise<Response> {
  const shown = await readShown(c, form);
  if (shown !== undefined) return showPage(c, shown);
  const [input, file] = await readBranding(form);
  await createCodeBranding(c.var.ctx, input, file);
  return redirectWithNotice(
    c,
    href.brandings(c.var.workspace),
    `The branding ${quoted(input.name)} is saved: its codes were read back.`,
  );
}
