import { expect, it } from "vitest";
import { isUnassigned } from "../../../src/console/links/link-hints";

it.each([
  ["newsletter", "email", ""],
  ["Newsletter", "E-Mail", ""],
  ["email", "", ""],
  ["google", "cpc", ""],
  ["partner", "paid-social", ""],
  ["linkedin.com", "post", ""],
  ["x.com", "post", ""],
  ["bing", "", ""],
  ["flyer", "display", ""],
  ["partner", "affiliate", ""],
  ["shop", "flyer", "spring_shopping"],
  ["app", "web-push", ""],
  ["youtube", "flyer", ""],
])("Google Analytics knows the channel of %j, %j and %j", (source, medium, campaign) => {
  expect(isUnassigned({ source, medium, campaign })).toBe(false);
});

it.each([
  ["newsletter", "newsletter", ""],
  ["poster", "print", "summer"],
  ["flyer", "", ""],
  ["x", "post", ""],
  ["", "qr", ""],
  ["partner", "workshops", "bishop"],
])("Google Analytics calls %j, %j and %j unassigned", (source, medium, campaign) => {
  expect(isUnassigned({ source, medium, campaign })).toBe(true);
});
