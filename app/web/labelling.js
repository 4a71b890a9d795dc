// A key is a press on its button, unless somebody is writing.
() => {
  // Of two names that of the button which the page has; answers are labelled yes or no, pairs by which is better.
  const names = { y: ["yes"], 1: ["yes", "left"], n: ["no"], 2: ["no", "right"], 3: ["tie"], t: ["tie"],
    s: ["skip"], u: ["back"] };
  const folds = { r: "report", t: "tools" };
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest?.("input:not([type=radio]), textarea, [contenteditable=true]");
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || writing) return;
    const key = event.key.toLowerCase();
    const fold = folds[key] && document.getElementById(folds[key]);
    if (fold) fold.open = !fold.open;
    const button = (names[key] ?? []).map((name) => document.getElementById(name)).find(Boolean);
    if (!button && !fold) return;
    event.preventDefault();
    button?.click();
  });
  // Nobody should come upon the unseen box with the tab key.
  const hide = () => document.querySelectorAll("#number input, #number textarea").forEach((box) => {
    box.tabIndex = -1;
    box.setAttribute("aria-hidden", "true");
  });
  // Another answer is read from its beginning; the next criterion of the same one leaves the page where it is.
  let read = "";
  const rewind = () => {
    const shown = document.getElementById("answer")?.textContent ?? "";
    if (shown !== read) window.scrollTo(0, 0);
    read = shown;
  };
  hide();
  new MutationObserver(() => { hide(); rewind(); }).observe(document.body, { childList: true, subtree: true });
}
