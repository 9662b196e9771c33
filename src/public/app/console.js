// Every page works without this script.

// Screen readers do not announce a notice that the page was loaded with.
document.querySelector(".notice")?.focus();

/** Announces to screen readers what has happened on the page. */
const status = document.createElement("p");
status.className = "unseen";
status.setAttribute("role", "status");
document.querySelector("main").append(status);

async function isCopied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// Removes the token of a sign-in link from the address bar and the history. The form has it.
if (document.querySelector("[data-forgets-query]")) history.replaceState(null, "", location.pathname);

// Copies the text of `data-copy`. If the browser refuses, selects the text on the page.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const label = button.querySelector("span");
  const before = label.textContent;
  let waiting;
  const say = (text) => {
    label.textContent = text;
    status.textContent = text;
  };
  button.hidden = false;
  button.addEventListener("click", async () => {
    clearTimeout(waiting);
    if (await isCopied(button.dataset.copy)) {
      say("Copied");
      waiting = setTimeout(() => {
        label.textContent = before;
        status.textContent = "";
      }, 2000);
      return;
    }
    say("Copy it by hand");
    const shown = button.closest("th, section").querySelector("[data-by-hand]");
    getSelection().selectAllChildren(shown);
  });
}

// Updates the preview of a form while the person types. A late answer to an earlier request is ignored.
for (const form of document.querySelectorAll("form[data-preview]")) {
  const shown = document.getElementById(form.dataset.shows);
  let waiting;
  let latest = 0;
  const update = async () => {
    const current = ++latest;
    const response = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form) });
    if (response.ok && current === latest) shown.innerHTML = await response.text();
  };
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 300);
  });
}

// A checkbox that checks all others of a list.
for (const box of document.querySelectorAll("input[data-ticks]")) {
  box.closest("label").hidden = false;
  const boxes = document.querySelectorAll(`input[name="${box.dataset.ticks}"]`);
  box.addEventListener("change", () => {
    for (const one of boxes) one.checked = box.checked;
  });
}

// Continues an import for the person who started it on this page, unless they are reading something else on it.
for (const form of document.querySelectorAll("form[data-goes-on]")) {
  const startedHere = document.referrer.split("?")[0] === location.origin + location.pathname;
  if (!startedHere || location.search !== "") continue;
  setTimeout(() => {
    if (document.querySelector("details[open]") === null) form.requestSubmit();
  }, 500);
}

// Prints when all pictures have come, or have failed.
for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await Promise.allSettled(Array.from(document.images, (image) => image.decode()));
    window.print();
  });
}

// A second click does not send a form twice. After 15 seconds, or back on the page, it can be sent again.
const sent = new Map();
const release = (form) => {
  clearTimeout(sent.get(form));
  sent.delete(form);
  for (const button of form.querySelectorAll("button")) button.removeAttribute("aria-disabled");
};
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (sent.has(form)) {
    event.preventDefault();
    return;
  }
  // A `disabled` button would not send its value.
  for (const button of form.querySelectorAll("button[type=submit]"))
    button.setAttribute("aria-disabled", "true");
  sent.set(form, setTimeout(release, 15_000, form));
});
addEventListener("pageshow", () => {
  for (const form of sent.keys()) release(form);
});
