// Searches the sections of all documents. The index is fetched when the field is first used.
const MAX_RESULTS = 12;
const EXCERPT_LENGTH = 120;

const field = document.getElementById("query");
const results = document.getElementById("results");
const found = document.getElementById("found");
let sections;

const load = () => {
  sections ??= fetch("/docs/search.json")
    .then((response) => (response.ok ? response.json() : Promise.reject(response.status)))
    .catch((error) => {
      sections = undefined;
      throw error;
    });
  return sections;
};

/** The number of words missing from a section's heading, lower is better. Undefined if the section lacks a word. */
function rank({ page, heading, text }, words) {
  const [inHeading, inAll] = [heading.toLowerCase(), `${page} ${heading} ${text}`.toLowerCase()];
  if (!words.every((word) => inAll.includes(word))) return undefined;
  return words.filter((word) => !inHeading.includes(word)).length;
}

function excerpt(text, words) {
  const at = Math.max(
    0,
    Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((n) => n >= 0)),
  );
  const start = Number.isFinite(at) ? Math.max(0, text.lastIndexOf(" ", Math.max(0, at - 30)) + 1) : 0;
  const part = text.slice(start, start + EXCERPT_LENGTH);
  return `${start > 0 ? "… " : ""}${part}${start + EXCERPT_LENGTH < text.length ? " …" : ""}`;
}

function item({ page, heading, url, text }, words) {
  const link = document.createElement("a");
  link.href = url;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  const line = document.createElement("span");
  line.textContent = excerpt(text, words);
  const entry = document.createElement("li");
  entry.append(link, line);
  return entry;
}

async function search() {
  const query = field.value;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    found.textContent = "";
    results.replaceChildren();
    return;
  }
  let all;
  try {
    all = await load();
  } catch {
    found.textContent = "The search index could not be loaded. Try again.";
    return;
  }
  // A later keystroke has started another search.
  if (query !== field.value) return;
  const matches = all
    .map((section) => ({ section, rank: rank(section, words) }))
    .filter((match) => match.rank !== undefined)
    .sort((a, b) => a.rank - b.rank);
  found.textContent =
    matches.length === 0
      ? "Nothing found."
      : `${matches.length} ${matches.length === 1 ? "section" : "sections"} found.`;
  results.replaceChildren(...matches.slice(0, MAX_RESULTS).map(({ section }) => item(section, words)));
}

field.addEventListener("focus", () => load().catch(() => undefined));
field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  field.value = "";
  search();
});
results.addEventListener("click", () => {
  field.value = "";
  search();
});
document.getElementById("search").hidden = false;
