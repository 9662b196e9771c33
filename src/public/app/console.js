// Every page works without this script.

/** Announces to screen readers what has happened on the page. */
const status = document.createElement("p");
status.className = "unseen";
status.setAttribute("role", "status");
document.querySelector("main").append(status);

// Screen readers do not announce a notice that the page was loaded with. A field with `autofocus` keeps the focus.
const notice = document.querySelector(".notice");
const first = document.querySelector("[autofocus]");
if (notice !== null && first === null) notice.focus();
else if (notice !== null) setTimeout(() => (status.textContent = notice.innerText), 100);

/** The text of a part of a page; undefined if there is none, as when the session has ended. */
async function read(...request) {
  try {
    const response = await fetch(...request);
    return response.ok && !response.redirected ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

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

// The answer to a form that must not be sent again: loading the page again opens another page.
const answered = document.querySelector("[data-forgets-form]");
if (answered) history.replaceState(null, "", answered.dataset.forgetsForm);

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
    const shown = button.closest("dd, li, th, section, .notice")?.querySelector("[data-by-hand]");
    if (shown) getSelection().selectAllChildren(shown);
  });
}

// Updates the preview of a form while the person types. A late answer to an earlier request is ignored.
for (const form of document.querySelectorAll("form[data-preview]")) {
  const shown = document.getElementById(form.dataset.shows);
  let waiting;
  let latest = 0;
  const update = async () => {
    const current = ++latest;
    const html = await read(form.dataset.preview, { method: "POST", body: new FormData(form) });
    if (html === undefined || current !== latest) return;
    shown.innerHTML = html;
    // Parts of the answer that belong elsewhere on the page.
    for (const part of shown.querySelectorAll("[data-into]")) {
      const place = document.getElementById(part.dataset.into);
      if (place.textContent !== part.textContent) place.replaceChildren(...part.childNodes);
      part.remove();
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 300);
  });
}

// Fills a field with a value from the server.
for (const button of document.querySelectorAll("button[data-fills]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = await read(button.dataset.from);
    if (text === undefined) return;
    const field = document.getElementById(button.dataset.fills);
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  });
}

// A colour is typed in a field or picked beside it.
for (const picker of document.querySelectorAll("input[data-sets]")) {
  const field = document.getElementById(picker.dataset.sets);
  const follow = () => {
    if (/^#[0-9a-f]{6}$/i.test(field.value)) picker.value = field.value.toLowerCase();
  };
  follow();
  picker.hidden = false;
  field.addEventListener("input", follow);
  picker.addEventListener("input", () => {
    field.value = picker.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

// A folded part of a form says whether it is open, so that it is open again if the form comes back.
for (const hidden of document.querySelectorAll('details > input[name="open"]')) {
  hidden.parentElement.addEventListener("toggle", () => {
    hidden.disabled = !hidden.parentElement.open;
  });
}

// A field that keeps its form from being sent is seen: what is folded around it opens.
document.addEventListener(
  "invalid",
  ({ target }) => {
    for (const part of document.querySelectorAll("details:not([open])"))
      if (part.contains(target)) part.open = true;
  },
  true,
);

// An error is no longer true once its field is changed.
document.addEventListener("input", ({ target }) => {
  if (target.getAttribute("aria-invalid") === null) return;
  target.removeAttribute("aria-invalid");
  document.getElementById(`${target.id}-refusal`)?.remove();
});

const WAIT_MS = 200;
const MAX_SUGGESTIONS = 50;
let lists = 0;

const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

/**
 * Suggestions below a text field, as a combobox of ARIA. `find` returns the options for a text, `choose` takes one. With
 * `first` the first option is chosen unless the person moves to another; otherwise the text stands as it is. `leave` has the
 * option that the person moved to, and says whether the text means one.
 */
function suggestBelow(input, { label, find, choose, leave, first }) {
  const list = element("div", {
    id: `suggestions-${++lists}`,
    class: "suggestions",
    role: "listbox",
    "aria-label": label,
  });
  list.hidden = true;
  const hadFocus = document.activeElement === input;
  const box = element("div", { class: "combobox" });
  input.before(box);
  box.append(input, list);
  if (hadFocus) input.focus();
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": list.id,
    "aria-expanded": "false",
    autocomplete: "off",
  }))
    input.setAttribute(name, value);
  let active = -1;
  let isMovedTo = false;
  let latest = 0;
  let waiting;

  const mark = (index, byPerson = false) => {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = index;
    isMovedTo = byPerson;
    const option = list.children[index];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option === undefined) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", option.id);
  };
  const close = () => {
    clearTimeout(waiting);
    latest++;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    mark(-1);
  };
  const open = async (text) => {
    const current = ++latest;
    const { options, total = options.length } = await find(text);
    if (current !== latest) return;
    list.replaceChildren(...options);
    for (const [index, option] of options.entries()) {
      option.id = `${list.id}-${index}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
    }
    list.hidden = options.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark(first && options.length > 0 ? 0 : -1);
    const shown = total > options.length ? `, the first ${options.length} are shown` : "";
    status.textContent = `${total} ${total === 1 ? "suggestion" : "suggestions"}${shown}`;
  };
  const take = (option) => {
    close();
    choose(option);
  };

  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(open, first ? 0 : WAIT_MS, input.value.trim());
  });
  input.addEventListener("keydown", (event) => {
    const isOpen = !list.hidden;
    const last = list.children.length - 1;
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = event.key === "ArrowDown" ? active + 1 : active - 1;
      if (isOpen) mark(next > last ? 0 : next < 0 ? last : next, true);
      else open("");
    } else if (event.key === "Enter" && isOpen && active >= 0) {
      event.preventDefault();
      take(list.children[active]);
    } else if (event.key === "Enter" && first && input.value.trim() !== "") {
      // The text has not been looked up yet, and this field sends nothing itself.
      if (leave()) return;
      event.preventDefault();
      input.reportValidity();
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      close();
    }
  });
  // The field keeps the focus while an option is pressed.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option !== null) take(option);
  });
  if (first) input.addEventListener("click", () => list.hidden && open(""));
  input.addEventListener("blur", () => {
    const option = isMovedTo ? list.children[active] : undefined;
    close();
    leave?.(option);
  });
}

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The entries that have all words of a text, in any order; those that begin with it come first, also by another name. */
function matching(entries, text) {
  const wanted = folded(text);
  const words = wanted.split(/\s+/);
  const found = entries.filter(({ key, names = [] }) =>
    words.every((word) => key.includes(word) || names.some((name) => name.includes(word))),
  );
  const begins = found.filter(({ key, names = [] }) =>
    [key, ...names].some((name) => name.startsWith(wanted)),
  );
  return [...begins, ...found.filter((entry) => !begins.includes(entry))];
}

const toOption = (value, ...children) => element("div", { "data-value": value }, ...children);

/** Tells the form that a control was changed by the script. */
const changed = (control) => {
  for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
};

// A long list becomes a field that searches it. The list stays, hidden, and is what the form sends.
for (const select of document.querySelectorAll("select[data-searched]")) {
  const entries = [...select.options].map((option) => ({
    option,
    key: folded(option.text),
    names: option.dataset.names === undefined ? [] : folded(option.dataset.names).split(", "),
  }));
  const input = element("input", { type: "text", spellcheck: "false", autocapitalize: "none" });
  // The browser may move the focus to the first field with `autofocus` only after this script.
  const hadFocus = document.activeElement === select || first === select;
  for (const name of ["id", "aria-describedby", "aria-invalid", "required"]) {
    if (select.hasAttribute(name)) input.setAttribute(name, select.getAttribute(name));
    select.removeAttribute(name);
  }
  select.hidden = true;
  select.after(input);
  if (hadFocus) input.focus();
  const chosen = () => select.selectedOptions[0];
  const show = () => {
    input.setCustomValidity("");
    input.value = select.value === "" ? "" : chosen().text;
    input.placeholder = select.value === "" ? (chosen()?.text ?? "") : "";
  };
  const pick = (value) => {
    if (value !== select.value) {
      select.value = value;
      changed(select);
    }
    show();
  };
  show();
  addEventListener("pageshow", show);
  suggestBelow(input, {
    label: input.labels[0]?.textContent ?? "",
    first: true,
    find: (text) => {
      const found = text === "" || text === chosen()?.text ? entries : matching(entries, text);
      const options = found
        .slice(0, MAX_SUGGESTIONS)
        .map(({ option }) => toOption(option.value, option.text));
      return { options, total: found.length };
    },
    choose: (option) => pick(option.dataset.value),
    // The option that is marked is taken. A text that finds none stays, and keeps the form from being sent. An emptied field takes
    // the empty option, if there is one.
    leave: (option) => {
      if (option !== undefined) {
        pick(option.dataset.value);
        return true;
      }
      const key = folded(input.value.trim());
      const none = entries.find(({ option }) => option.value === "");
      const same = entries.filter((entry) => entry.key === key || entry.names.includes(key));
      const meant = same.find(({ option }) => option === chosen()) ?? same[0] ?? matching(entries, key)[0];
      if (key !== "" && meant === undefined) input.setCustomValidity("Choose one from the list.");
      else pick((key === "" ? none : meant)?.option.value ?? select.value);
      return key === "" || meant !== undefined;
    },
  });
  input.addEventListener("input", () => input.setCustomValidity(""));
  input.addEventListener("focus", () => input.select());
}

// Checkboxes become a field that searches them and a chip for each choice. They stay, hidden, and are what the form sends.
for (const group of document.querySelectorAll("fieldset[data-picks]")) {
  const ticks = group.querySelector(".ticks");
  const creates = group.querySelector("[data-creates]");
  const entries = [...ticks.querySelectorAll("label")].map((label) => ({
    label,
    box: label.querySelector("input"),
    text: label.textContent.trim(),
    key: folded(label.textContent.trim()),
  }));
  const chips = element("ul", { class: "chips" });
  const input = element("input", { type: "text", "aria-label": `Find ${group.dataset.picks.toLowerCase()}` });
  input.placeholder = creates === null ? "Type to find" : "Type to find or create";
  ticks.before(chips, input);
  ticks.hidden = true;
  if (creates !== null) creates.closest(".field").hidden = true;

  const made = () => (creates?.value ?? "").split(/\s*,\s*/).filter(Boolean);
  const make = (names) => {
    creates.value = [...new Set(names)].join(", ");
    changed(creates);
  };
  const tick = (box, isChecked) => {
    box.checked = isChecked;
    changed(box);
  };
  const isSame = (one, other) => one.toLowerCase() === other.toLowerCase();
  const contents = (label) => [...label.childNodes].filter((node) => node.nodeName !== "INPUT");
  const chip = (text, children, remove) => {
    const button = element("button", { type: "button", "aria-label": `Remove ${text}` }, "×");
    button.addEventListener("click", () => {
      remove();
      show();
      input.focus();
      status.textContent = `Removed ${text}`;
    });
    return element("li", {}, ...children, button);
  };
  const show = () =>
    chips.replaceChildren(
      ...entries
        .filter(({ box }) => box.checked)
        .map(({ label, box, text }) => chip(text, contents(label.cloneNode(true)), () => tick(box, false))),
      ...made().map((name) =>
        chip(name, [element("bdi", {}, name), element("span", { class: "soft small" }, "new")], () =>
          make(made().filter((other) => other !== name)),
        ),
      ),
    );
  const add = (text) => {
    const entry = entries.find((one) => isSame(one.text, text));
    if (entry !== undefined) tick(entry.box, true);
    else if (creates !== null && text !== "") make([...made(), ...text.split(/\s*,\s*/)]);
    else return;
    input.value = "";
    show();
    status.textContent = `Added ${text}`;
  };
  show();
  addEventListener("pageshow", show);
  suggestBelow(input, {
    label: group.dataset.picks,
    first: true,
    find: (text) => {
      const free = entries.filter(({ box }) => !box.checked);
      const found = text === "" ? free : matching(free, text);
      const options = found
        .slice(0, MAX_SUGGESTIONS)
        .map(({ label }) => toOption("", ...contents(label.cloneNode(true))));
      for (const [index, option] of options.entries()) option.dataset.value = found[index].text;
      const isKnown = entries.some((entry) => isSame(entry.text, text));
      if (creates !== null && text !== "" && !isKnown) options.push(toOption(text, `Create “${text}”`));
      return { options, total: Math.max(found.length, options.length) };
    },
    choose: (option) => add(option.dataset.value),
    leave: () => false,
  });
  // A name that was typed but not chosen counts, as it does without the script.
  group.closest("form")?.addEventListener("submit", () => add(input.value.trim()));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Backspace" && input.value === "")
      chips.lastElementChild?.querySelector("button").click();
  });
}

// A text field with suggestions from the server.
for (const input of document.querySelectorAll("input[data-suggests]")) {
  suggestBelow(input, {
    label: input.labels[0]?.textContent ?? "",
    first: false,
    find: async (text) => {
      if (text === "") return { options: [] };
      const part = element("div", {});
      part.innerHTML = (await read(`${input.dataset.suggests}?${new URLSearchParams({ q: text })}`)) ?? "";
      return { options: [...part.children] };
    },
    choose: (option) => {
      input.value = option.dataset.value;
      changed(input);
    },
  });
}

// A checkbox that checks all others of a list, and is checked while they are.
for (const box of document.querySelectorAll("input[data-ticks]")) {
  box.closest("label").hidden = false;
  const boxes = document.querySelectorAll(`input[name="${box.dataset.ticks}"]`);
  const check = (some, isChecked) => {
    for (const one of some) if (!one.disabled) one.checked = isChecked;
  };
  const show = () => {
    const free = [...boxes].filter(({ disabled }) => !disabled);
    box.checked = free.length > 0 && free.every(({ checked }) => checked);
  };
  box.addEventListener("change", () => check(boxes, box.checked));
  for (const one of boxes) one.addEventListener("change", show);
  // Coming back to the page, the browser checks the previous boxes again.
  addEventListener("pageshow", show);
  show();
  // A click with Shift checks the rows between it and the last click.
  let last;
  boxes.forEach((one, index) => {
    one.addEventListener("click", ({ shiftKey }) => {
      const range = [...boxes].slice(Math.min(last, index), Math.max(last, index) + 1);
      if (shiftKey && last !== undefined) check(range, one.checked);
      last = index;
    });
  });
}

// What has opened over the page closes when the person goes on elsewhere.
for (const dropdown of document.querySelectorAll("details.dropdown")) {
  const close = ({ target }) => {
    if (!dropdown.contains(target)) dropdown.open = false;
  };
  document.addEventListener("click", close);
  document.addEventListener("focusin", close);
}

// It closes with Escape too, as the menu does.
for (const opened of document.querySelectorAll("details:is(.dropdown, .menu)")) {
  opened.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !opened.open) return;
    opened.open = false;
    opened.querySelector("summary").focus();
  });
}

// Reads a chart point by point, with the pointer, by touch and with the arrow keys. A point has its text as its title: its
// name, then a line for each series, with a tab before the number.
for (const plot of document.querySelectorAll("[data-chart]")) {
  const drawing = plot.querySelector("svg");
  const points = [...drawing.querySelectorAll("g")];
  const texts = points.map((point) => {
    const title = point.querySelector("title");
    title.remove();
    return title.textContent;
  });
  const tooltip = element("div", { class: "tooltip" });
  tooltip.hidden = true;
  plot.append(tooltip);
  const spoken = (text) => text.replaceAll("\n", ", ").replaceAll("\t", " ");
  let chosen = points.length - 1;
  const hide = () => {
    tooltip.hidden = true;
    points[chosen]?.classList.remove("chosen");
  };
  const choose = (index) => {
    hide();
    chosen = Math.max(0, Math.min(index, points.length - 1));
    points[chosen].classList.add("chosen");
    plot.setAttribute("aria-valuenow", chosen + 1);
    plot.setAttribute("aria-valuetext", spoken(texts[chosen]));
    const [name, ...lines] = texts[chosen].split("\n");
    const cells = lines.flatMap((line) => line.split("\t")).map((text) => element("span", {}, text));
    tooltip.replaceChildren(element("strong", {}, name), ...cells);
    tooltip.hidden = false;
    const middle = ((chosen + 0.5) / points.length) * plot.clientWidth - tooltip.offsetWidth / 2;
    tooltip.style.left = `${Math.max(0, Math.min(middle, plot.clientWidth - tooltip.offsetWidth))}px`;
  };
  const point = ({ clientX }) => {
    const { left, width } = drawing.getBoundingClientRect();
    choose(Math.floor(((clientX - left) / width) * points.length));
  };
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -Infinity, End: Infinity };
  drawing.setAttribute("aria-hidden", "true");
  for (const [name, value] of Object.entries({
    role: "slider",
    tabindex: "0",
    "aria-label": drawing.getAttribute("aria-label"),
    "aria-valuemin": 1,
    "aria-valuemax": points.length,
    "aria-valuenow": points.length,
    "aria-valuetext": spoken(texts[chosen]),
  }))
    plot.setAttribute(name, value);
  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", point);
  plot.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && hide());
  // A click leads to the days of a point. A touch only reads it: its table leads there.
  const open = () => {
    const { href } = points[chosen].dataset;
    if (href !== undefined) location.assign(href);
  };
  plot.addEventListener("click", ({ pointerType }) => pointerType === "mouse" && open());
  plot.addEventListener("focus", () => choose(chosen));
  plot.addEventListener("blur", hide);
  plot.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    if (event.key === "Enter") open();
    if (steps[event.key] === undefined) return;
    event.preventDefault();
    choose(chosen + steps[event.key]);
  });
}

// Shows the actions on chosen rows only while some are chosen, and says how many.
for (const bar of document.querySelectorAll("[data-counts]")) {
  const { form } = bar;
  const all = form.querySelector("[data-chooses]");
  const update = () => {
    const chosen = form.querySelectorAll(`input[name="${bar.dataset.counts}"]:checked`).length;
    const number = all?.checked ? Number(all.dataset.chooses) : chosen;
    bar.hidden = number === 0;
    bar.toggleAttribute("data-shown", number > 0);
    const count = bar.querySelector("[data-count]");
    count.textContent = `${number.toLocaleString("en-GB")} selected ${count.dataset.count}${number === 1 ? "" : "s"}`;
  };
  form.addEventListener("change", update);
  // Coming back to the page, the browser checks the previous boxes again.
  addEventListener("pageshow", update);
  update();
}

// The current one of tabs that do not fit is in view.
for (const tabs of document.querySelectorAll(".subsections")) {
  const current = tabs.querySelector("[aria-current]");
  if (current !== null) tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
}

// The tab that was opened on a page stays open in another range of it, as long as the page has the same filter.
const asked = new URLSearchParams(location.search);
const filter = ["source", "country", "device"].map((name) => asked.get(name) ?? "");
const OPENED_TAB = `tab of ${[location.pathname, ...filter].join(" ")}`;
for (const tab of document.querySelectorAll(".tabs > input")) {
  if (tab.id === sessionStorage.getItem(OPENED_TAB)) tab.checked = true;
  tab.addEventListener("change", () => sessionStorage.setItem(OPENED_TAB, tab.id));
}

// Parts that are folded on narrow screens only, unless a field in them was refused.
const narrow = matchMedia("(max-width: 47.99rem)");
for (const part of document.querySelectorAll("details[data-folds]")) {
  const fold = () => {
    part.open = !narrow.matches || part.querySelector('[aria-invalid="true"]') !== null;
  };
  narrow.addEventListener("change", fold);
  fold();
  part.addEventListener("toggle", () => {
    if (narrow.matches && part.open) part.scrollIntoView({ block: "nearest" });
  });
}

// Rules are dragged by their headings. Where one is dropped, the form comes back in the new order, as after a button.
const moved = [...document.querySelectorAll("[data-moves]")];
const RULE = "text/x-rule";
for (const [index, rule] of moved.entries()) {
  const heading = rule.querySelector("legend");
  heading.draggable = moved.length > 1;
  heading.addEventListener("dragstart", ({ dataTransfer }) => {
    dataTransfer.setData(RULE, index);
    dataTransfer.effectAllowed = "move";
    dataTransfer.setDragImage(rule, 0, 0);
  });
  rule.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes(RULE)) event.preventDefault();
  });
  rule.addEventListener("drop", (event) => {
    const from = event.dataTransfer.getData(RULE);
    if (from === "" || Number(from) === index) return;
    event.preventDefault();
    const button = element("button", { name: "act", value: `move.${from}.${index}` });
    button.formNoValidate = true;
    button.hidden = true;
    rule.form.append(button);
    rule.form.requestSubmit(button);
  });
}

// A filter applies when it is chosen. Text applies with its button or Enter. Then the focus is on the summary of the filters.
const APPLIED = "applied";
for (const filters of document.querySelectorAll("[data-applies]")) {
  const details = filters.closest("details");
  if (sessionStorage.getItem(APPLIED) !== null) details.querySelector("summary").focus();
  sessionStorage.removeItem(APPLIED);
  filters.addEventListener("change", ({ target }) => {
    if (target.tagName !== "SELECT") return;
    sessionStorage.setItem(APPLIED, "");
    details.closest("form").requestSubmit();
  });
}

// Goes on with a change of many links. Going back to such a page does not.
for (const form of document.querySelectorAll("form[data-continues]")) {
  if (performance.getEntriesByType("navigation")[0]?.type === "navigate")
    setTimeout(() => form.requestSubmit(), 300);
}

// Shows what a search finds while the person types. A late answer to an earlier request is ignored.
for (const input of document.querySelectorAll("input[data-finds]")) {
  const shown = element("div", { class: "found", role: "region", "aria-label": "Found links" });
  shown.hidden = true;
  input.after(shown);
  let waiting;
  let latest = 0;
  const close = () => {
    latest++;
    clearTimeout(waiting);
    shown.hidden = true;
  };
  const update = async () => {
    const current = ++latest;
    const text = input.value.trim();
    // The search index finds no shorter text.
    if (text.length < 3) return close();
    const html = await read(`${input.dataset.finds}?q=${encodeURIComponent(text)}`);
    if (html === undefined || current !== latest) return;
    shown.innerHTML = html;
    shown.hidden = false;
    status.textContent = shown.querySelector("p")?.textContent ?? "";
  };
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 200);
  });
  const group = input.parentElement;
  group.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && !shown.hidden) {
      event.preventDefault();
      input.focus();
      close();
    } else if (step !== undefined && !shown.hidden) {
      event.preventDefault();
      const stops = [input, ...shown.querySelectorAll("a")];
      stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
    }
  });
  group.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget !== null && !group.contains(relatedTarget)) close();
  });
  document.addEventListener("click", ({ target }) => {
    if (!group.contains(target)) close();
  });
}

// Keys, unless the person is typing or has switched them off in this browser.
const KEYS_OFF = "keys-off";
const search = document.querySelector("input[data-finds]");
const { newLink } = document.body.dataset;
const keys = {
  ...(search && { "/": ["Search", focusSearch] }),
  ...(newLink && { c: ["New link", () => location.assign(newLink)] }),
  "?": ["These keys", showKeys],
};
function focusSearch() {
  search.focus();
  search.select();
}
function showKeys() {
  const on = element("input", { type: "checkbox" });
  on.checked = localStorage.getItem(KEYS_OFF) === null;
  on.addEventListener("change", () =>
    on.checked ? localStorage.removeItem(KEYS_OFF) : localStorage.setItem(KEYS_OFF, ""),
  );
  const rows = Object.entries(keys).map(([key, [name]]) =>
    element("p", { class: "row" }, element("kbd", {}, key), name),
  );
  const tick = element("label", { class: "tick" }, on, "Keys work in this browser");
  const close = element("form", { method: "dialog" }, element("button", {}, "Close"));
  const dialog = element("dialog", { class: "card", "aria-label": "Keys" }, ...rows, tick, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, [contenteditable], dialog") !== null;
  const isOff = localStorage.getItem(KEYS_OFF) !== null;
  if (isTyping || isOff || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key][1]();
});
for (const button of document.querySelectorAll("button[data-keys]")) {
  button.hidden = false;
  button.addEventListener("click", showKeys);
}

// Shows how far an import is, until it is finished. On the page of the person who started it, it goes on with it meanwhile.
for (const followed of document.querySelectorAll("[data-follows]")) {
  const form = followed.querySelector("form[data-goes-on]");
  const follow = async () => {
    const asked = form ? fetch(form.action, { method: "POST" }) : fetch(location.href);
    const response = await asked.catch(() => undefined);
    const text = response?.ok ? await response.text() : undefined;
    const page = text && new DOMParser().parseFromString(text, "text/html");
    const now = page?.querySelector("[data-follows]");
    if (now === null) {
      if (document.querySelector("details[open]") === null) location.reload();
      return;
    }
    if (now) {
      followed.querySelector("progress").value = now.querySelector("progress").value;
      followed.querySelector("label").textContent = now.querySelector("label").textContent;
    }
    setTimeout(follow, form && now ? 500 : 10_000);
  };
  setTimeout(follow, form ? 500 : 10_000);
}

// Prints when all pictures have come, or have failed.
for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await Promise.allSettled(Array.from(document.images, (image) => image.decode()));
    window.print();
  });
}

// A PNG with this chunk (pHYs), which says how large it is printed, after its first one. Another one is left out.
const withDensity = (png, density) => {
  const view = new DataView(png);
  const parts = [png.slice(0, 33), Uint8Array.from(atob(density), (byte) => byte.charCodeAt(0))];
  for (let at = 33, end; at < png.byteLength; at = end) {
    end = at + 12 + view.getUint32(at);
    if (view.getUint32(at + 4) !== 0x70485973) parts.push(png.slice(at, end));
  }
  return new Blob(parts, { type: "image/png" });
};

// Draws a picture as a PNG and saves it, since the server has no fonts.
for (const button of document.querySelectorAll("button[data-png]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const image = new Image();
    image.src = button.dataset.png;
    try {
      await image.decode();
    } catch {
      status.textContent = "The picture could not be loaded.";
      return;
    }
    const canvas = document.createElement("canvas");
    canvas.width = Number(button.dataset.pixels);
    canvas.height = Math.round((canvas.width * image.naturalHeight) / image.naturalWidth);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    const drawn = await new Promise((resolve) => canvas.toBlob(resolve));
    link.href = URL.createObjectURL(withDensity(await drawn.arrayBuffer(), button.dataset.density));
    link.download = button.dataset.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
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
  // A file leaves the page as it is, so nothing would release its form.
  if (form.method !== "post" || event.submitter?.dataset.downloads !== undefined) return;
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

// What a person typed before the script came.
const typed = document.activeElement;
if (typed?.matches("input, textarea") && typed.value !== typed.defaultValue)
  typed.dispatchEvent(new Event("input", { bubbles: true }));

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  );
const base64Of = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Has the browser make a passkey, if the challenge is for a user, or sign with one. Returns the fields of the form. */
async function answerChallenge({ challenge, rp, user, email, algorithms, known }) {
  const asked = { challenge: bytesOf(challenge), timeout: 300_000 };
  if (user === undefined) {
    const publicKey = { ...asked, rpId: rp, userVerification: "required" };
    const { id, response } = await navigator.credentials.get({ publicKey });
    return {
      credential: id,
      client_data: base64Of(response.clientDataJSON),
      authenticator_data: base64Of(response.authenticatorData),
      signature: base64Of(response.signature),
    };
  }
  const publicKey = {
    ...asked,
    rp: { id: rp, name: "Waymark" },
    user: { id: bytesOf(user), name: email, displayName: email },
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: known.map((id) => ({ type: "public-key", id: bytesOf(id) })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  };
  const { id, response } = await navigator.credentials.create({ publicKey });
  return {
    credential: id,
    client_data: base64Of(response.clientDataJSON),
    authenticator_data: base64Of(response.getAuthenticatorData()),
    public_key: base64Of(response.getPublicKey()),
    algorithm: response.getPublicKeyAlgorithm(),
  };
}

// Passkeys: gets a challenge when the button is pressed, has the browser answer it, and sends the answer with the form.
for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!window.PublicKeyCredential) break;
  form.hidden = false;
  const said = form.querySelector("[data-said]");
  const button = form.querySelector("button");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    said.textContent = "";
    button.disabled = true;
    try {
      const asked = await read(form.dataset.passkey, { method: "POST" });
      if (asked === undefined) {
        said.textContent = "The service did not answer. Load this page again, and try again in a minute.";
        return;
      }
      const fields = await answerChallenge(JSON.parse(asked));
      for (const [name, value] of Object.entries(fields))
        form.append(element("input", { type: "hidden", name, value }));
      form.submit();
    } catch (error) {
      said.textContent =
        error.name === "InvalidStateError"
          ? "This device has a passkey for you already."
          : "No passkey was used. If you have none for this address, try another device or a sign-in link.";
    } finally {
      button.disabled = false;
    }
  });
}
