// What Gradio leaves out for screen readers and the keyboard; again whenever the page changes.
() => {
  const mend = () => {
    // A step is opened by its whole title line; the arrow inside must not be a second, nameless button.
    document.querySelectorAll('#conversation [role="button"]').forEach((title) => {
      title.setAttribute("aria-expanded", String(title.classList.contains("expanded")));
      title.querySelectorAll("button").forEach((arrow) => {
        arrow.disabled = true; // or it could be reached; what is clicked is the line
        arrow.style.pointerEvents = "none";
        arrow.setAttribute("aria-hidden", "true");
      });
    });
    document.querySelectorAll('button[aria-label=""]').forEach((button) => {
      button.setAttribute("aria-label", button.title || "Show or hide");
    });
  };
  // The page's language is its own, whatever the browser would like best.
  const language = /\/(en|fr)\/?$/.exec(window.location.pathname);
  if (language) document.documentElement.lang = language[1];
  mend();
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
}
