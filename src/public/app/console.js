// What the pages do without, done more comfortably. Every page works when this is not loaded.

/** Copies the text of what `data-copy` names, and says so. */
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const before = button.textContent;
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = before;
    }, 2000);
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
  box.hidden = false;
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
