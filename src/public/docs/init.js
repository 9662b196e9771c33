const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followScheme);
followScheme();

const nothing = () => null;

const BLOCKS = { Shell: "sh", JavaScript: "js", Python: "py" };

// Swagger UI does not show `x-codeSamples`. Behind the description one language is open and two can be opened.
const asDetails = ({ lang, label, source }, index) =>
  `<details${index === 0 ? " open" : ""}><summary>${label}</summary>\n\n\`\`\`${BLOCKS[lang]}\n${source}\n\`\`\`\n\n</details>`;

function withExamples(text) {
  const described = JSON.parse(text);
  for (const operation of Object.values(described.paths).flatMap(Object.values)) {
    const examples = (operation["x-codeSamples"] ?? []).map(asDetails);
    operation.description = [operation.description, ...examples].join("\n\n");
  }
  return JSON.stringify(described);
}

// The page sends no requests and asks for no key, since keys belong in server-side code alone.
SwaggerUIBundle({
  dom_id: "#docs",
  url: "/api/v1/openapi.json",
  responseInterceptor: (response) => Object.assign(response, { text: withExamples(response.text) }),
  validatorUrl: null,
  supportedSubmitMethods: [],
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  plugins: [{ components: { authorizeBtn: nothing, authorizeOperationBtn: nothing } }],
});
