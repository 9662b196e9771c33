import { existsSync, readFileSync, statSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withDownloadedBackup } from "../../src/cli/downloaded-backup";

const OLD = "backups/2026-11-29T03-17-00.000Z.backup";
const NEW = "backups/2026-11-30T03-17-00.000Z.backup";

let miniflare: Miniflare;
let backups: R2Bucket;
beforeAll(async () => {
  miniflare = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script: "export default {}", r2Buckets: ["BACKUPS"] }),
  );
  backups = (await miniflare.getR2Bucket("BACKUPS")) as unknown as R2Bucket;
  await backups.put(OLD, "old");
  // Larger than what is read at once.
  await backups.put(NEW, "0123456789abcdef".repeat(600_000));
});
afterAll(() => miniflare.dispose());

it.each([
  ["last", "0123456789abcdef".repeat(600_000)],
  [OLD, "old"],
])(
  "the backup %s is downloaded to a file of its reader alone, which is then removed",
  async (name, content) => {
    const path = await withDownloadedBackup({ backups }, name, async (file) => {
      expect(readFileSync(file, "utf8") === content).toBe(true);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      return file;
    });
    expect(existsSync(path)).toBe(false);
    await expect(
      withDownloadedBackup({ backups }, name, async (file) => {
        expect(existsSync(file)).toBe(true);
        throw new Error(file);
      }),
    ).rejects.toSatisfy((error: Error) => !existsSync(error.message));
  },
);

it("an unknown name is refused with those that there are, and a missing bucket with how to get one", async () => {
  const use = () => Promise.reject(new Error("used"));
  await expect(withDownloadedBackup({ backups }, "backups/other", use)).rejects.toMatchObject({
    body: { errors: { from_r2: [`There is no backup "backups/other" in R2. There is: ${NEW}, ${OLD}.`] } },
  });
  await expect(withDownloadedBackup({}, "last", use)).rejects.toMatchObject({
    body: { errors: { from_r2: [expect.stringContaining("npm run deploy -- --backups")] } },
  });
});
