import { expect, it } from "vitest";
import { cleanText, joinLines, toChatLine, toDiscordLine } from "../../../src/operations/alerts/alert-text";

const BREAK = "\u200b";

it.each([
  ["a line break", "one\r\ntwo", "one two"],
  ["control characters", "a\u0000b\u001b[31mc", "a b [31mc"],
  ["text that runs from right to left", "a\u202eb\u2066c", "a b c"],
  ["line separators", "a\u2028b\u2029c", "a b c"],
  ["half a character", "a\ud800b", "a b"],
  ["zero-width characters", "a\u200bb\ufeffc", "a b c"],
  ["spaces at the ends", "  a  ", "a"],
  ["letters of any language", "Zürich, 東京 🎉", "Zürich, 東京 🎉"],
])("a stored text is one line: %s", (_, text, clean) => expect(cleanText(text)).toBe(clean));

it("a stored text has at most 500 characters, and no half ones", () => {
  const clean = cleanText("🎉".repeat(600));
  expect(Array.from(clean)).toHaveLength(500);
  expect(clean).toBe(`${"🎉".repeat(499)}…`);
  expect(cleanText("x".repeat(500))).toBe("x".repeat(500));
});

it.each([
  ["a mention of Slack", "<!channel> & <@U1>", "&lt;!channel&gt; &amp; &lt;@U1&gt;"],
  ["a link of Slack", "<https://evil.example|Slack>", "&lt;https://evil.example|Slack&gt;"],
  ["a mention in words", "@everyone @Here", `@${BREAK}everyone @${BREAK}Here`],
  ["an address", "ada@example.com", "ada@example.com"],
  ["a link of Teams", "[log in](https://evil.example)", `[log in]${BREAK}(https://evil.example)`],
  ["code", "a ``` b", "a ''' b"],
])("a line for Slack and Teams is safe: %s", (_, text, line) => expect(toChatLine(text)).toBe(line));

it.each([
  ["a link", "[log in](https://evil.example)", "\\[log in\\]\\(https://evil.example\\)"],
  ["a hidden text", "||x||", "\\|\\|x\\|\\|"],
  ["code and emphasis", "``` *a* _b_ ~c~", "\\`\\`\\` \\*a\\* \\_b\\_ \\~c\\~"],
  ["a mention", "<@1> @here", `\\<@1\\> @${BREAK}here`],
  ["a heading", "# a", "\\# a"],
  ["a short link", "https://s.example/a_b-c is down", "https://s.example/a_b-c is down"],
  ["an ampersand", "A & B", "A & B"],
])("a line for Discord is safe: %s", (_, text, line) => expect(toDiscordLine(text)).toBe(line));

it("lines are joined up to a number of characters, with the number of the others", () => {
  const lines = ["a".repeat(10), "b".repeat(10), "c".repeat(10)];
  expect(joinLines(lines, 100)).toBe(lines.join("\n"));
  expect(joinLines(lines, 32)).toBe(lines.join("\n"));
  expect(joinLines(lines, 31)).toBe(`${lines[0]}\n… and 2 more.`);
  for (let characters = 30; characters < 60; characters++)
    expect(joinLines(lines, characters).length).toBeLessThanOrEqual(characters);
});
