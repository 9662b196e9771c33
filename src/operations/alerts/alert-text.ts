// Texts of alerts contain names that people typed, and end in chats of other services. Nobody may ping the operator's
// team, hide a line or disguise a link with a name.

const MAX_CHARACTERS = 500;
/** Invisible, and breaks what a chat would interpret. */
const BREAK = "\u200b";

/** Text in one line, without control and formatting characters. */
export function cleanText(text: string, maxCharacters = MAX_CHARACTERS): string {
  const characters = Array.from(
    text
      .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
  return characters.length > maxCharacters
    ? `${characters.slice(0, maxCharacters - 1).join("")}…`
    : characters.join("");
}

const withoutMentions = (text: string): string =>
  text.replace(/@(?=everyone|here|channel|all|team)/gi, `@${BREAK}`);

/** A line for Slack, which asks for the three entities, and for Teams, which reads Markdown. */
export const toChatLine = (text: string): string =>
  withoutMentions(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("`", "'")
    .replaceAll("](", `]${BREAK}(`);

/** URLs are left as they are, since a backslash would be part of them. */
const URL_OR_MARKDOWN = /(https?:\/\/[\w.:/%-]+)|[\\*_~`|<>[\]()#]/g;

/** A line for Discord, which reads Markdown. */
export const toDiscordLine = (text: string): string =>
  withoutMentions(text).replace(URL_OR_MARKDOWN, (found, url?: string) => url ?? `\\${found}`);

/** The lines if they have at most `maxCharacters`, else the first of them and the number of the others. */
export function joinLines(lines: readonly string[], maxCharacters: number): string {
  const all = lines.join("\n");
  if (all.length <= maxCharacters) return all;
  for (let kept = lines.length - 1; kept > 0; kept--) {
    const joined = [...lines.slice(0, kept), `… and ${lines.length - kept} more.`].join("\n");
    if (joined.length <= maxCharacters) return joined;
  }
  return all.slice(0, maxCharacters);
}
