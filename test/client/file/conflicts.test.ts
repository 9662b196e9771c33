import { describe, expect, it } from "vitest";
import type { Link } from "../../../src/client/api/wire-types";
import type { State } from "../../../src/client/file/file-state";
import { planFile } from "../../../src/client/file/make-plan";
import { id, link, SUMMER, state } from "./links";
import { refusedFor } from "./problems";
import { type Fields, fileOf, writesOf } from "./setup";

const planOf = (fields: Fields, was: Partial<Link> = {}, rest?: Partial<State>) =>
  planFile(fileOf({ a: fields }), state([link(was)], rest));

describe("a conflict", () => {
  const owners = (slug: string, owner: Link) => ({ owners: new Map([[slug, [owner]]]) });
  const foreign = (fields: Partial<Link> = {}) =>
    link({ id: id(7), external_id: null, slug: "promo", ...fields });

  it.each<[name: string, fields: Fields, owner: Link, message: string]>([
    [
      "with a link of nobody",
      { slug: "Promo" },
      foreign(),
      `/Promo belongs to the link ${id(7)}, which is not of this file. To let the file own it: waymark adopt Promo`,
    ],
    [
      "with an old slug",
      { slug: "promo" },
      foreign({ slug: "later" }),
      `/promo is an old slug of the link /later ${id(7)}, which is not of this file. To let the file own it: waymark adopt promo`,
    ],
    [
      "with a link of another owner",
      { slug: "promo" },
      foreign({ external_id: "blog:x" }),
      `/promo belongs to the link ${id(7)} (external ID blog:x), which is not of this file. To let the file own it: waymark adopt promo --take-over`,
    ],
    [
      "with a link whose key was renamed",
      { slug: "promo" },
      foreign({ external_id: "site:previous" }),
      '/promo belongs to "previous", whose key is not in the file any more. If only the key is new: waymark adopt promo',
    ],
  ])("%s", (_, fields, owner, message) => {
    const plan = planFile(fileOf({ new: fields }), state([], owners("promo", owner)));
    expect(plan.actions).toEqual([]);
    expect(plan.conflicts).toEqual([{ key: "new", line: 4, slug: fields["slug"], message, id: owner.id }]);
  });

  it("arises for a rename, which nothing can adopt", () => {
    const plan = planOf({ slug: "promo" }, {}, owners("promo", foreign()));
    expect(plan.conflicts.map(({ message }) => message)).toEqual([
      `/promo belongs to the link ${id(7)}, which is not of this file. Choose another slug, or delete that link.`,
    ]);
  });

  it("arises where two links of the file swap their slugs", () => {
    const [a, b] = [link(), link({ id: id(2), slug: "b", external_id: "site:b" })];
    const plan = planFile(
      fileOf({ a: { slug: "b" }, b: { slug: "a" } }),
      state([a, b], {
        owners: new Map([...owners("a", a).owners, ...owners("b", b).owners]),
      }),
    );
    expect(plan.conflicts.map(({ message }) => message)).toEqual([
      '/b belongs to "b" of this file. A renamed link keeps its old slugs, so links cannot swap slugs.',
      '/a belongs to "a" of this file. A renamed link keeps its old slugs, so links cannot swap slugs.',
    ]);
  });

  it("does not arise with a link that another run made after the list was read", () => {
    const made = link({ slug: "promo", external_id: "site:new" });
    const plan = planFile(fileOf({ new: { slug: "promo" } }), state([], owners("promo", made)));
    expect([plan.conflicts, writesOf(plan)]).toEqual([[], []]);
    expect(plan.unchanged.get("new")).toBe(made);
  });

  it("does not arise with the link's own old slug", () => {
    const own = link();
    const plan = planFile(fileOf({ a: { slug: "before" } }), state([own], owners("before", own)));
    expect([plan.conflicts, writesOf(plan)]).toEqual([[], ["update a"]]);
  });
});

describe("a group", () => {
  it("that is unknown is a problem, with its line", () => {
    const file = fileOf({ a: {}, b: { group: "x" }, c: {} }, { defaults: { group: "y" } });
    expect(refusedFor(() => planFile(file, state([])))).toEqual([
      'waymark.yaml:4: The workspace has no Activity Group "y".',
      'waymark.yaml:10: The workspace has no Activity Group "x".',
    ]);
  });

  it("that is archived is a warning", () => {
    const plan = planOf({ group: "summer" }, {}, { groups: [{ ...SUMMER, status: "archived" }] });
    expect(plan.warnings).toEqual(["The Activity Group summer is archived."]);
  });
});
