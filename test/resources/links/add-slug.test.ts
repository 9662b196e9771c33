import { expect, it } from "vitest";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { addSlug } from "../../../src/resources/links/add-slug";
import { attachTagsToLink } from "../../../src/resources/links/link-tags";
import { createTag } from "../../../src/resources/tags/tag-service";
import { makeWorkspace } from "../../harness";

// This must be the first write of its instance, because a statement is prepared for the columns of its first call.
it("a link that has got another slug can be tagged on the same instance", async () => {
  const { ctx, link } = await makeWorkspace();
  const { host } = await addDomain(ctx, `d${crypto.randomUUID().slice(0, 8)}.acme.example`, true);
  const { id } = await link({ slug: "summer", domain: host });
  await addSlug(ctx, `${host}/sumer`, "summer");
  const tag = await createTag(ctx, { name: "Print" });
  const { tags } = await attachTagsToLink(ctx, id, [tag.id]);
  expect(tags.map(({ name }) => name)).toEqual(["Print"]);
});
