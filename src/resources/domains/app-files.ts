import { z } from "zod";
import type { Context } from "../../context";
import { changedMeanwhile, retryLostRaces } from "../../errors";
import { invalid } from "../../field-errors";
import { isMatched } from "../../lib/etag";
import { type Failure, messageOf } from "../../lib/failure";
import type { FieldCode } from "../../lib/field-codes";
import { slugKey } from "../../lib/slug-text";
import { check } from "../../lib/validation";
import { writeToKv } from "../../redirect/slugs/kv-writer";
import { markSettings } from "../../redirect/slugs/statements/marks";
import { selectTarget } from "../../redirect/slugs/statements/targets";
import { updateDomain } from "./domain-repository";
import { findDomain, writeDomain } from "./domain-service";

// The files by which phones open a domain's links in an app. Their shape is what Apple and Google ask for.

const MAX_BYTES = 16 * 1024;

const appId = () =>
  z.string().regex(/^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/, "must be an app ID such as ABCDE12345.com.example.app");
const appIds = () => z.array(appId()).min(1, "must not be empty");

const APPLE = z
  .object({
    applinks: z
      .object({
        details: z
          .array(
            z
              .object({
                appID: appId().optional(),
                appIDs: appIds().optional(),
                paths: z.array(z.string()).optional(),
                components: z.array(z.object({})).optional(),
              })
              .refine(({ appID, appIDs }) => (appID ?? appIDs) !== undefined, "must have appIDs"),
          )
          .min(1, "must not be empty"),
      })
      .optional(),
    webcredentials: z.object({ apps: appIds() }).optional(),
    appclips: z.object({ apps: appIds() }).optional(),
  })
  .refine(
    ({ applinks, webcredentials, appclips }) => (applinks ?? webcredentials ?? appclips) !== undefined,
    "must have applinks, webcredentials or appclips",
  );

const FINGERPRINT = /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/;

const isApp = (name: string | undefined, fingerprints: readonly string[] = []): boolean =>
  /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/.test(name ?? "") &&
  fingerprints.length > 0 &&
  fingerprints.every((one) => FINGERPRINT.test(one));

const TARGET = z
  .object({
    namespace: z.string(),
    package_name: z.string().optional(),
    sha256_cert_fingerprints: z.array(z.string()).optional(),
    site: z.string().optional(),
  })
  .refine(
    ({ namespace, package_name: name, sha256_cert_fingerprints: fingerprints, site }) =>
      namespace === "android_app"
        ? isApp(name, fingerprints)
        : namespace === "web" && /^https?:\/\/[^/]+\/?$/.test(site ?? ""),
    "must be an android_app with package_name and sha256_cert_fingerprints (32 pairs of capital hex digits with colons), or a web with site",
  );

const ANDROID = z
  .array(
    z.object({
      relation: z
        .array(z.string().startsWith("delegate_permission/", "must begin with delegate_permission/"))
        .min(1, "must not be empty"),
      target: TARGET,
    }),
  )
  .min(1, "must not be empty");

const SCHEMAS = { apple_app_site_association: APPLE, assetlinks: ANDROID };

export type AppFiles = Record<keyof typeof SCHEMAS, string | null>;

const failure = (field: keyof AppFiles, message: string, code: FieldCode = "format"): Failure => ({
  field,
  message: `The file ${message}.`,
  code,
});

export function fileProblem(field: keyof AppFiles, text: string | null): Failure | undefined {
  if (text === null) return undefined;
  if (new TextEncoder().encode(text).length > MAX_BYTES)
    return failure(field, "must not be larger than 16 KB", "too_long");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return failure(field, `is no JSON: ${error instanceof Error ? error.message : "it cannot be read"}`);
  }
  const result = check<unknown>(SCHEMAS[field], json);
  const [first] = result.ok ? [] : result.failures;
  if (first === undefined) return undefined;
  const place = first.field === "" ? "" : ` at ${first.field}`;
  const rule = messageOf(first)
    .replace(/^The [\w ]*field must /, "must ")
    .replace(/\.$/, "");
  return failure(field, `is not right${place}: ${rule}`);
}

const appFilesOf = ({ apple_app_site_association, assetlinks }: AppFiles): AppFiles => ({
  apple_app_site_association,
  assetlinks,
});

export const getAppFiles = async (ctx: Context, host: string): Promise<AppFiles> =>
  appFilesOf(await findDomain(ctx, host));

/** What the audit trail says of the files. */
const sizesOf = ({ apple_app_site_association: apple, assetlinks: android }: AppFiles) => {
  const sizeOf = (text: string | null) =>
    text === null ? null : `${new TextEncoder().encode(text).length.toLocaleString("en-GB")} bytes`;
  return { apple_app_site_association: sizeOf(apple), assetlinks: sizeOf(android) };
};

/** Sets what a domain serves for apps; null for no file. Throws 404, 412 and 422. */
export async function setAppFiles(ctx: Context, host: string, files: AppFiles): Promise<void> {
  const problems = (Object.keys(SCHEMAS) as (keyof AppFiles)[]).flatMap(
    (field) => fileProblem(field, files[field]) ?? [],
  );
  if (problems.length > 0) throw invalid(problems);
  const at = ctx.now();
  await retryLostRaces(async () => {
    const row = await findDomain(ctx, host);
    const was = appFilesOf(row);
    if (!(await isMatched(ctx.ifMatch, was))) throw changedMeanwhile("pair of files");
    if (JSON.stringify(was) === JSON.stringify(files)) return;
    const key = slugKey(row.host, "");
    const statements = [
      updateDomain(ctx.workspace.rowId, row.host, files),
      markSettings(key, ctx.workspace.rowId, at),
    ];
    const [, settings] = await writeDomain(
      ctx,
      row,
      { action: "domain.change", before: JSON.stringify(sizesOf(was)), change: sizesOf(files) },
      statements,
      selectTarget(key),
    );
    await writeToKv(ctx, settings, at);
  });
}
