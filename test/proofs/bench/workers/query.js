export default {
  async fetch(_request, env) {
    const row = await env.DB.prepare("select 1 as one").first();
    return Response.json(row);
  },
};
