// An example of every operation, which runs as it stands in a shell with the two variables of the README, in any
// order and as often as one likes: it makes what it deletes, and needs nothing but the workspace `demo`.

const KEY = '-H "Authorization: Bearer $KEY"';

/** A call that shows its whole answer: status, headers and body. */
const show = (call: string, ...options: string[]): string => {
  const [path = "", method] = call.split(" ").reverse();
  const verb = method === undefined ? "" : `-X ${method} `;
  return [`curl -sS -i ${verb}"$API${path}" ${KEY}`, ...options].join(" \\\n  ");
};

const json = (body: string): string => `-H 'Content-Type: application/json' \\\n  -d '${body}'`;

/** Keeps the first id that a call answers with. */
const keep = (variable: string, path: string, body?: string): string =>
  `${variable}=$(curl -sS "$API${path}" ${KEY}${body === undefined ? "" : ` \\\n  ${json(body)}`} |
  grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4)`;

const linkOf = (slug: string): string => keep("ID", `/links?slug=${slug}`);

const tagNamed = (name: string): string => `TAG=$(curl -sS "$API/tags" ${KEY} |
  grep -o '"id":"[^"]*","name":"${name}"' | cut -d '"' -f 4)`;

/** `"$NOW"` within a body in single quotes: a name that no other tag has. */
const NOW = "NOW=$(date +%s)";
const now = `'"$NOW"'`;

const lines = (...commands: string[]): string => commands.join("\n");

const EXAMPLES: Readonly<Record<string, string>> = {
  listActivityGroups: show("/activity-groups?status=active"),
  listLinks: show("/links?activity_group_id=summer-2026&sort=slug&per_page=5"),
  createLink: lines(
    NOW,
    show(
      "/links",
      '-H "Idempotency-Key: link-$NOW"',
      json(
        '{"destination_url":"https://www.example.com/sale?colour=blue","title":"Summer sale","activity_group_id":"summer-2026"}',
      ),
    ),
  ),
  getLink: lines(linkOf("summer"), show("/links/$ID")),
  updateLink: lines(
    linkOf("summer-flyer"),
    show("PATCH /links/$ID", json('{"title":"Summer flyer, second print","utm_source":"flyer-2"}')),
  ),
  deleteLink: lines(
    keep("ID", "/links", '{"destination_url":"https://www.example.com/"}'),
    show("DELETE /links/$ID"),
  ),
  getLinkQr: lines(
    linkOf("summer"),
    `curl -sS "$API/links/$ID/qr?format=png&size=1024" ${KEY} \\\n  -o summer.png -w '%{http_code}\\n'`,
  ),
  attachTagsToLink: lines(
    linkOf("summer-flyer"),
    tagNamed("Social"),
    show("/links/$ID/tags", json(`{"tag_ids":["'$TAG'"]}`)),
  ),
  detachTagFromLink: lines(
    tagNamed("Print"),
    keep("ID", "/links", `{"destination_url":"https://www.example.com/","tag_ids":["'$TAG'"]}`),
    show("DELETE /links/$ID/tags/$TAG"),
  ),
  listTags: show("/tags"),
  createTag: lines(
    NOW,
    show("/tags", '-H "Idempotency-Key: tag-$NOW"', json(`{"name":"Summer sale ${now}","colour":"#f59e0b"}`)),
  ),
  updateTag: lines(
    tagNamed("Partner"),
    show("PATCH /tags/$TAG", json('{"colour":"#0f766e","description":"Run together with a partner"}')),
  ),
  deleteTag: lines(NOW, keep("TAG", "/tags", `{"name":"Short-lived ${now}"}`), show("DELETE /tags/$TAG")),
};

export const shellBlock = (source: string): string => `\`\`\`sh\n${source}\n\`\`\``;

/** What the document says of an operation's example: in words for people, and by itself for tools. */
export function exampleOf(operationId: string | undefined) {
  const source = EXAMPLES[operationId ?? ""];
  if (source === undefined) return {};
  return {
    description: shellBlock(source),
    "x-codeSamples": [{ lang: "Shell", label: "curl", source }],
  };
}
