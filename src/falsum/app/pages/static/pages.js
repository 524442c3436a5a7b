// Updates the parts of a page that change, and copies texts. The pages work without it.
"use strict";

const EVERY = 2000; // milliseconds
const toggle = document.getElementById("updates");
const state = document.getElementById("update-state");
const shown = new Map(); // the last content of each part, by its id
let paused = false;

function isInUse(part) {
  const selection = document.getSelection();
  const selected = selection && !selection.isCollapsed && part.contains(selection.anchorNode);
  const active = document.activeElement;
  return selected || (part.contains(active) && !active.id && !active.classList.contains("scroll"));
}

function replacePart(part, fresh) {
  const open = new Set([...part.querySelectorAll("details[open][id]")].map((one) => one.id));
  const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
  const scrolled = [...part.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
  const adopted = document.importNode(fresh, true);
  for (const one of adopted.querySelectorAll("details[id]")) one.open = open.has(one.id);
  part.replaceWith(adopted);
  [...adopted.querySelectorAll(".scroll")].forEach((one, i) => { one.scrollLeft = scrolled[i] || 0; });
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  showButtons(adopted);
}

async function update() {
  if (paused || document.hidden) return;
  let text;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (!answer.ok) return;
    text = await answer.text();
  } catch {
    state.textContent = "no connection";
    return;
  }
  if (paused) return;
  state.textContent = "";
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (!fresh || isInUse(part)) continue;
    const before = shown.get(part.id) ?? part.innerHTML;
    shown.set(part.id, fresh.innerHTML);
    if (before !== fresh.innerHTML) replacePart(part, fresh);
  }
}

function showButtons(root) {
  for (const button of root.querySelectorAll("button[data-copy]")) button.hidden = false;
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = "Copied";
  } catch {
    document.getSelection().selectAllChildren(source);
    button.textContent = "Selected";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

if (document.querySelector("[data-live]")) {
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    paused = !paused;
    toggle.setAttribute("aria-pressed", String(paused));
  });
  setInterval(update, EVERY);
}

showButtons(document);
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button) copy(button);
});
document.addEventListener("change", (event) => {
  if (event.target.matches("form.filter select, form.filter input[type=checkbox]")) event.target.form.requestSubmit();
});
