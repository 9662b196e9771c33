import { expect, it } from "vitest";
import { email } from "../../src/access/access-schema";

it.each([
  "ada@team.example",
  "Ada.Lovelace+links@mail.team.example",
  "ada@müller.example",
  "zoë@team.example",
])("%j is an address of a member", (address) => {
  expect(email().parse(address)).toBe(address.toLowerCase());
});

it.each([
  ["a zero-width space", "ada\u200b@team.example"],
  ["a soft hyphen", "a\u00adda@team.example"],
  ["a zero-width joiner", "ada\u200d@team.example"],
  ["a variation selector", "ada\ufe0f@team.example"],
  ["a mark of direction", "\u202eada@team.example"],
  ["an invisible character in the host", "ada@te\u2060am.example"],
  ["an empty label", "ada@team..example"],
  ["a dot at the end", "ada@team.example."],
  ["a dot at the beginning of the host", "ada@.team.example"],
  ["a label that begins with a hyphen", "ada@-team.example"],
  ["an underscore in the host", "ada@te_am.example"],
  ["a host of one label", "ada@localhost"],
  ["an IP address", "ada@203.0.113.7"],
])("an address with %s is refused", (_, address) => {
  expect(email().safeParse(address).success).toBe(false);
});
