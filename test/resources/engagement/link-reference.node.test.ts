import { expect, it } from "vitest";
import { toLinkReference } from "../../../src/resources/engagement/link-reference";

const SHORT = { shortHost: "go.example.com" };

it.each([
  ["summer", "summer"],
  [" Summer ", "Summer"],
  ["01JZ8Q4V6T3K9M2N5P7R8S0W1X", "01JZ8Q4V6T3K9M2N5P7R8S0W1X"],
  ["/summer", "summer"],
  ["https://go.example.com/summer", "summer"],
  ["HTTPS://GO.example.com/Summer/", "Summer"],
  ["http://go.example.com/summer?utm_source=x#top", "summer"],
  ["go.example.com/summer", "summer"],
  ["go.example.com", "go.example.com"],
  ["go.example.com.evil.example/summer", "go.example.com.evil.example/summer"],
  ["https://other.example/summer", "other.example/summer"],
  ["https://go.example.com/a/b", "https://go.example.com/a/b"],
  ["", ""],
])("%j refers to the link %j", (text, reference) => {
  expect(toLinkReference(text, SHORT)).toBe(reference);
});
