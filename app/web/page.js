// What Gradio leaves out for screen readers and the keyboard; again whenever the page changes.
() => {
  const mend = () => {
    // A step is opened by its whole title line; the arrow inside must not be a second, nameless button.
    document.querySelectorAll('#conversation [role="button"] button').forEach((arrow) => {
      arrow.tabIndex = -1;
      arrow.setAttribute("aria-hidden", "true");
    });
    document.querySelectorAll('button[aria-label=""]').forEach((button) => {
      button.setAttribute("aria-label", button.title || "Show or hide");
    });
  };
  mend();
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
}
