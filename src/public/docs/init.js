const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followScheme);
followScheme();

const nothing = () => null;

// The page sends no requests and asks for no key, since keys belong in server-side code alone.
SwaggerUIBundle({
  dom_id: "#docs",
  url: "/api/v1/openapi.json",
  validatorUrl: null,
  supportedSubmitMethods: [],
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  plugins: [{ components: { authorizeBtn: nothing, authorizeOperationBtn: nothing } }],
});
