import { expect, it } from "vitest";
import { selectChannels } from "../../../src/resources/links/used-values-repository";
import { written } from "../../fakes";

it("the channels in use are those of existing links", () => {
  const { sql, params } = written(selectChannels(9, 4));
  expect(sql).toMatch(/^select "key" from "link_totals" .*"active" \+ "link_totals"."archived" > 0/);
  expect(params).toEqual([9, "channel", 4]);
});
