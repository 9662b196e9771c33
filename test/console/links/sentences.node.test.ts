import { describe, expect, it } from "vitest";
import { fieldOfError, sayErrors, sayOf, sayOfCell } from "../../../src/console/shell/error-labels";
import { alreadyTaken, SLUG_TAKEN } from "../../../src/errors";
import { ISO_MOMENT_RULE } from "../../../src/lib/time";
import { check } from "../../../src/lib/validation";
import { SLUG_TAKEN_DOWN } from "../../../src/redirect/slugs/slug-rules";
import { blockedHost } from "../../../src/resources/destinations/hosts";
import { ENDS_TOO_EARLY, tooManyTags } from "../../../src/resources/links/link-errors";
import { createLinkFields } from "../../../src/resources/links/link-schema";

/** What the form says of a field that the API refuses. */
function saidOf(field: string, value: unknown): string[] {
  const result = check(createLinkFields, { destination_url: "https://www.example.com/", [field]: value });
  return result.ok ? [] : result.failures.map((failure) => sayOf(failure.field, failure.message));
}

const LONG_URL = `https://www.example.com/${"x".repeat(2048)}`;

describe("the form of a link says", () => {
  it.each([
    ["destination_url", undefined, "Enter the destination."],
    ["destination_url", "shop", "The destination must be an address such as https://www.example.com/page."],
    ["destination_url", "https://-/", "The destination must not point to a host of an internal network."],
    ["destination_url", "https://bit.ly/x", "The destination must not point to another link shortener."],
    ["destination_url", LONG_URL, "The destination must not have more than 2048 characters."],
    [
      "slug",
      "-",
      "The short link must be 1 to 64 letters, digits, hyphens or underscores and start with a letter or digit.",
    ],
    ["slug", "docs", "The short link docs is reserved."],
    ["external_id", "x".repeat(256), "The external ID must not have more than 255 characters."],
    ["utm_source", "a\u0000", "The source must not contain control characters."],
    ["starts_at", "soon", "The start must be a date and a time."],
    [
      "ended_url",
      "https://a@www.example.com/",
      "The address after the end must not contain a user name or password.",
    ],
  ])("of the field %s with %j: %s", (field, value, said) => {
    expect(saidOf(field, value)).toEqual([said]);
  });

  it.each([
    [SLUG_TAKEN, "The short link is taken."],
    [
      SLUG_TAKEN_DOWN,
      "The short link was taken down by the operator of this service. It cannot be used again.",
    ],
    [alreadyTaken("external_id"), "The external ID is taken."],
    [ENDS_TOO_EARLY, "The end must be after the start."],
    [blockedHost(), "The destination leads to a host that this service does not allow."],
    [tooManyTags("tag_ids"), "The link may not have more than 50 tags."],
  ])("%j as %j", ({ field, message }, said) => {
    expect(sayOf(field, message)).toBe(said);
  });

  it("the same thing once, also where the message names it", () => {
    const errors = {
      "tag_ids.0": ["The selected tag_ids.0 is invalid.", "The selected tag_ids.0 is unknown."],
      ends_at: ["The ends at field must be a date after starts at."],
      link_limit: ["The workspace has reached its limit of 5 links."],
    };
    const message = "The ends at field must be a date after starts at. (and 2 more errors)";
    expect(sayErrors({ status: 422, message, errors })).toEqual({
      status: 422,
      message: "The end must be after the start. (and 2 more errors)",
      errors: {
        "tag_ids.0": ["One of the tags no longer exists."],
        ends_at: ["The end must be after the start."],
        link_limit: ["The workspace has reached its limit of 5 links."],
      },
    });
    expect(["tag_ids.0", "new_tags", "slug", "link_limit", "body"].map(fieldOfError)).toEqual([
      "tag_ids",
      "tag_ids",
      "slug",
      undefined,
      undefined,
    ]);
  });
});

it.each([
  ["slug", "The slug has already been taken.", "The slug is taken."],
  [
    "starts_at",
    `The starts at field ${ISO_MOMENT_RULE}.`,
    "The start must be a time with its zone, such as 2026-05-01T09:00:00Z.",
  ],
  [
    "utm_source",
    "The utm source field must not be greater than 255 characters.",
    "The utm_source must not have more than 255 characters.",
  ],
  [
    "old_slugs",
    "The old slug a is already in row 2 of this file.",
    "The old slug a is already in row 2 of this file.",
  ],
  ["row", "The row has more cells than the heading.", "The row has more cells than the heading."],
])("the page of an import names the column %s: %s", (field, message, said) => {
  expect(sayOfCell(field, message)).toBe(said);
});
