// What Gradio leaves out for screen readers and the keyboard; again whenever the page changes.
() => {
  const language = /\/(en|fr)\/?$/.exec(window.location.pathname);
  if (language) document.documentElement.lang = language[1];
  const set = (element, name, value) => {
    if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const mend = () => {
    // The editors have a label that nothing ties to them.
    document.querySelectorAll("#editor, #around").forEach((box) => {
      const label = box.querySelector('[data-testid="block-label"]')?.textContent.trim();
      set(box.querySelector(".cm-content"), "aria-label", label || "Code");
      set(box.querySelector("#around .cm-scroller"), "tabindex", "0"); // so that the arrow keys move it
    });
    document.querySelectorAll("#status, #saved").forEach((box) => set(box, "role", "status"));
    // A pending step is opened by its whole title line; the arrow inside must not be a second, nameless button.
    document.querySelectorAll('#conversation [role="button"]').forEach((title) => {
      set(title, "aria-expanded", String(title.classList.contains("expanded")));
      title.querySelectorAll("button").forEach((arrow) => {
        arrow.disabled = true;
        arrow.style.pointerEvents = "none";
        set(arrow, "aria-hidden", "true");
      });
    });
    document.querySelectorAll('button[aria-label=""]').forEach((button) => {
      button.setAttribute("aria-label", button.title || "Show or hide");
    });
  };
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.target.closest?.("#editor")) return;
    event.preventDefault();
    event.stopPropagation();
    document.getElementById("run")?.click();
  }, true);
  mend();
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
}
