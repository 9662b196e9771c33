/** The description of the whole interface. `codes` are the words of `codes` with their meanings. */
export const describeInterface = (
  baseUrl: string,
  codes: Readonly<Record<string, string>>,
): string => `Short links, tags and QR codes of one workspace, and look-up of its Activity Groups.
Send the workspace's API key as a Bearer token, from trusted server-side code alone. Another workspace's resources are
answered like unknown ones.

## Examples

Each operation has them as \`x-codeSamples\` in curl, JavaScript and Python. They run as they stand in the workspace \`demo\`, once
the environment has the key and the API's address:

\`\`\`sh
export KEY=lnk_…
export API=${baseUrl}/api/v1
\`\`\`

Save JavaScript as \`example.mjs\` and run \`node example.mjs\` (Node.js 20 or later). Save Python as \`example.py\` and run
\`python3 example.py\` (3.9 or later). Neither needs a package.

## Requests

- A body is a JSON object of at most 64 KiB, without \`Content-Encoding\`. Texts are trimmed, an empty text is null, and an empty query parameter counts as
  absent. Lengths count Unicode code points. Control characters are refused, in names and texts also zero-width
  spaces, soft hyphens and direction controls. Names are compared and searched by full case folding.
- Unknown body fields and query parameters are ignored. Only the QR operation refuses them.
- A parameter that takes several values is sent as \`tag=a&tag=b\`, \`tag[]=a\` or \`tag[0]=a\`. Other brackets are 422.
- At most 100 errors are reported. A list that is too long is one of them.
- HEAD answers wherever GET does. Another method of a known path is 405 with \`Allow\`.
- Each key has 3,000 requests a minute. After 429, 409 and 503 wait for \`Retry-After\`.
- A key that comes over http where the service has https is 403, whatever it may do: it was sent unencrypted, so rotate it.
- If several things are wrong, the first of 401, 429, 403, 404, 413, 412 and 422 is answered.

## Strict handling

With \`Prefer: handling=strict\` an unknown body field or query parameter is 422 on itself. Every 422 then has \`codes\` and, if a
link, tag or group of the workspace is in the way, \`conflicts\`. Every answer has \`Preference-Applied: handling=strict\`.

| Code | Meaning |
|---|---|
${Object.entries(codes)
  .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  .join("\n")}

New codes may follow.

## Begin and end of a link

Before \`starts_at\` visitors get 404, from \`ends_at\` on they are sent to \`ended_url\`, else to that of the link's Activity
Group, else they get 410. A time is that of RFC 3339 with a zone (a date alone is 422). It may lie in the past, leave out
the seconds, and have a space for the \`T\` or an offset such as \`+0200\`. A link without
\`ends_at\` may end with its group, where members have set this in the web application.

## Versions of links and tags

The \`ETag\` of a link or tag is \`"\` + base64url(SHA-256(JSON)) + \`"\`, without padding. JSON is the object as it stands in a list,
in UTF-8, with its fields in that order and without white space: in JavaScript, \`JSON.stringify(link)\`. So a client can compute
it from a list and send it as \`If-Match\`. Compression makes ETags weak (\`W/"…"\`), and \`If-Match\` takes these too.

## Changes

Within \`/api/v1\` changes only add. An operation that is to go is first marked \`deprecated\`, and for six months answers with
\`Deprecation\` and \`Sunset\`.`;

export const TAGS = [
  { name: "Links", description: "Short links, their tags and their QR files." },
  { name: "Tags", description: "Labels of links. A workspace has at most 1,000." },
  {
    name: "Activity Groups",
    description:
      "Campaigns, events, projects and the like that links belong to. They are made and changed in the web application.",
  },
];

/** The project has no open licence: each operator decides who may use their service. */
export const LICENCE = {
  name: "Proprietary to the operator of this service",
  identifier: "LicenseRef-Proprietary",
};

export const PREFER = {
  name: "Prefer",
  in: "header" as const,
  required: false,
  description: "`handling=strict` refuses unknown fields and parameters, and explains errors with `codes`.",
  schema: { type: "string" as const, example: "handling=strict" },
};
