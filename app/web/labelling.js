// A key is a press on its button, unless somebody is writing or chooses with the keyboard who they are.
() => {
  const buttons = { y: "yes", 1: "yes", n: "no", 2: "no", s: "skip", u: "back" };
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest?.("input:not([type=radio]), textarea, [contenteditable=true]");
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || writing) return;
    const name = buttons[event.key.toLowerCase()];
    if (!name) return;
    event.preventDefault();
    document.getElementById(name)?.click();
  });
  // Nobody should come upon the unseen box with the tab key.
  const hide = () => document.querySelectorAll("#number input, #number textarea").forEach((box) => {
    box.tabIndex = -1;
    box.setAttribute("aria-hidden", "true");
  });
  hide();
  new MutationObserver(hide).observe(document.body, { childList: true, subtree: true });
}
