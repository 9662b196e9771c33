export default {
  async fetch(request, env) {
    const target = await env.KV.get(request.url.slice(request.url.indexOf("/", 8) + 1), { cacheTtl: 30 });
    return target === null
      ? new Response("Not found", { status: 404 })
      : new Response(null, { status: 302, headers: { Location: target } });
  },
};
