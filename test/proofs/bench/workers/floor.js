export default {
  fetch: () =>
    new Response(null, { status: 302, headers: { Location: "https://www.example.com/sale?colour=blue" } }),
};
