import { describe, expect, it } from "vitest";
import { ADDRESSES, deployTo, deployWell } from "./account";

const BUCKET = { binding: "BACKUPS", bucket_name: "waymark-backups", remote: true };
const creations = (commands: readonly string[]) => commands.filter((command) => command.startsWith("r2 "));

describe("the bucket of scheduled backups", () => {
  it("is neither created nor bound unless --backups asks for it", async () => {
    const { commands, kept } = await deployWell({});
    expect(creations(commands)).toEqual([]);
    expect(kept.at(-1)).not.toHaveProperty("r2_buckets");
  });

  it("is created, bound, and said", async () => {
    const { commands, kept, said } = await deployWell({}, [...ADDRESSES, "--backups"]);
    expect(creations(commands)).toEqual(["r2 bucket create waymark-backups"]);
    expect(kept.at(-1)?.r2_buckets).toEqual([BUCKET]);
    expect(said).toContain("- A backup is written into the R2 bucket waymark-backups every day.");
  });

  it("has the jurisdiction of the database", async () => {
    const { commands, kept } = await deployWell({}, [...ADDRESSES, "--backups", "--jurisdiction", "eu"]);
    expect(creations(commands)).toEqual(["r2 bucket create waymark-backups --jurisdiction eu"]);
    expect(kept.at(-1)?.r2_buckets).toEqual([{ ...BUCKET, jurisdiction: "eu" }]);
  });

  it("stays bound by the next deployments, also without the saved config, until --no-backups", async () => {
    const first = await deployWell({}, [...ADDRESSES, "--backups", "--jurisdiction", "eu"]);
    const { kept: _, ...elsewhere } = first.next;
    for (const account of [first.next, elsewhere]) {
      const again = await deployWell(account, []);
      expect(creations(again.commands)).toEqual([]);
      expect(again.kept.at(-1)?.r2_buckets).toEqual([{ ...BUCKET, jurisdiction: "eu" }]);
    }
    const { kept } = await deployWell(first.next, ["--no-backups"]);
    expect(kept.at(-1)).not.toHaveProperty("r2_buckets");
  });

  it("that exists is bound", async () => {
    const { kept } = await deployWell({ buckets: ["waymark-backups"] }, [...ADDRESSES, "--backups"]);
    expect(kept.at(-1)?.r2_buckets).toEqual([BUCKET]);
  });

  it("that cannot be created ends the deployment in the words of the API, before the Worker is replaced", async () => {
    const fails = "r2 bucket create";
    const { error, commands } = await deployTo({ fails }, [...ADDRESSES, "--backups"]);
    expect(error).toContain("r2 bucket create waymark-backups failed");
    expect(commands.filter((command) => /^(?:deploy|d1 migrations)/.test(command))).toEqual([]);
  });
});
