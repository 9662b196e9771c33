// What the pages do without, done more comfortably. Every page works when this is not loaded.

/** Reads out what the action before has done: no reader announces what a page has from its beginning. */
document.querySelector(".notice")?.focus();

/** Tells those who do not see the page what has happened on it. */
const said = document.createElement("p");
said.className = "unseen";
said.setAttribute("role", "status");
document.querySelector("main").append(said);

async function isCopied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Takes the secret of a sign-in link out of the address bar and the history: where it still works, the form has it. */
if (document.querySelector("[data-forgets-query]")) history.replaceState(null, "", location.pathname);

/** Copies the text of `data-copy`, and says so; where that is not allowed, chooses it on the page. */
for (const button of document.querySelectorAll("button[data-copy]")) {
  const label = button.querySelector("span");
  const before = label.textContent;
  let waiting;
  const say = (text) => {
    label.textContent = text;
    said.textContent = text;
  };
  button.hidden = false;
  button.addEventListener("click", async () => {
    clearTimeout(waiting);
    if (await isCopied(button.dataset.copy)) {
      say("Copied");
      waiting = setTimeout(() => {
        label.textContent = before;
        said.textContent = "";
      }, 2000);
      return;
    }
    say("Copy it by hand");
    const shown = button.closest("th, section").querySelector("[data-by-hand]");
    getSelection().selectAllChildren(shown);
  });
}

/** Shows again, while it is filled in, the part of a form that the server makes of it. */
for (const form of document.querySelectorAll("form[data-preview]")) {
  const shown = document.getElementById(form.dataset.shows);
  let waiting;
  let asked = 0;
  const ask = async () => {
    const mine = ++asked;
    const response = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form) });
    if (response.ok && mine === asked) shown.innerHTML = await response.text();
  };
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, 300);
  });
}

/** Sends a form as soon as something is chosen in it. */
for (const form of document.querySelectorAll("form[data-at-once]")) {
  form.addEventListener("change", () => form.requestSubmit());
}

/** Ticks every box of a list. */
for (const box of document.querySelectorAll("input[data-ticks]")) {
  box.closest("label").hidden = false;
  const boxes = document.querySelectorAll(`input[name="${box.dataset.ticks}"]`);
  box.addEventListener("change", () => {
    for (const one of boxes) one.checked = box.checked;
  });
}

/** Goes on with what is done in portions, for who began it here; not while something else on the page is looked at. */
for (const form of document.querySelectorAll("form[data-goes-on]")) {
  const began = document.referrer.split("?")[0] === location.origin + location.pathname;
  if (!began || location.search !== "") continue;
  setTimeout(() => {
    if (document.querySelector("details[open]") === null) form.requestSubmit();
  }, 500);
}

/** Prints the page. */
for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

/** Sends a form once: what a second click would do again is not done. It can be sent again once it is clear that the page stays. */
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
  // A button that is `disabled` would not send its value.
  for (const button of form.querySelectorAll("button[type=submit]"))
    button.setAttribute("aria-disabled", "true");
  sent.set(form, setTimeout(release, 15_000, form));
});
addEventListener("pageshow", () => {
  for (const form of sent.keys()) release(form);
});
