// What a redirect has to do at least: it sends the headers that visitors get and reads those that a visit is counted by.

const READ = ["user-agent", "referer", "sec-purpose", "purpose", "x-purpose", "x-moz"];
const seen = { headers: 0 };

export default {
  fetch: ({ url, method, headers, cf }) => {
    for (const name of READ) if (headers.get(name) !== null) seen.headers++;
    if (url !== "" && method === "GET" && cf !== undefined) seen.headers++;
    return new Response(null, {
      status: 302,
      headers: {
        "Cache-Control": "private, no-store",
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "X-Robots-Tag": "noindex",
        "X-Cache": "hit",
        "X-Request-Id": crypto.randomUUID(),
        Location: "https://www.example.com/sale?colour=blue&utm_source=newsletter&utm_medium=email",
      },
    });
  },
};
