// Updates the parts of a page that change, and copies texts. The pages work without it.
"use strict";

const EVERY = 2000; // milliseconds
const toggle = document.getElementById("updates");
let paused = false;

function isInUse(part) {
  const selection = document.getSelection();
  return selection && !selection.isCollapsed && part.contains(selection.anchorNode);
}

function replacePart(part, fresh) {
  const open = new Set([...part.querySelectorAll("details[open][id]")].map((one) => one.id));
  const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
  const scrolled = new Map([...part.querySelectorAll(".scroll")].map((one, i) => [i, one.scrollLeft]));
  const adopted = document.importNode(fresh, true);
  adopted.querySelectorAll("details[id]").forEach((one) => { one.open = open.has(one.id); });
  part.replaceWith(adopted);
  [...adopted.querySelectorAll(".scroll")].forEach((one, i) => { one.scrollLeft = scrolled.get(i) || 0; });
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

async function update() {
  if (paused || document.hidden) return;
  const active = document.activeElement;
  let answer;
  try {
    answer = await fetch(location.href, { headers: { "X-Update": "1" }, cache: "no-store" });
  } catch {
    toggle.textContent = "Server gone";
    return;
  }
  if (!answer.ok || active !== document.activeElement) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  toggle.textContent = "Pause updates";
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    const unnamed = part.contains(document.activeElement) && !document.activeElement.id;
    if (fresh && !unnamed && !isInUse(part) && fresh.innerHTML !== part.dataset.shown) {
      const text = fresh.innerHTML;
      if (text !== part.innerHTML) replacePart(part, fresh);
      document.getElementById(part.id).dataset.shown = text;
    }
  }
}

if (toggle && document.querySelector("[data-live]")) {
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    paused = !paused;
    toggle.setAttribute("aria-pressed", String(paused));
    toggle.textContent = paused ? "Updates paused" : "Pause updates";
  });
  setInterval(update, EVERY);
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      document.getSelection().selectAllChildren(source);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

for (const form of document.querySelectorAll("form.filter")) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("select, input[type=checkbox]")) form.requestSubmit();
  });
}
