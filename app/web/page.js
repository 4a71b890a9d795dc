// Names for buttons that Gradio leaves without one, so that a screen reader can say what they do.
() => {
  const name = () => {
    document.querySelectorAll('button[aria-label=""], button:not([aria-label])').forEach((button) => {
      if (button.textContent.trim() === "") {
        button.setAttribute("aria-label", button.title || "Show or hide");
      }
    });
    // Headings stay headings: what opens a step is the arrow inside it.
    const log = document.querySelector('#conversation [role="log"]');
    if (log && !log.hasAttribute("tabindex")) log.setAttribute("tabindex", "0");
  };
  name();
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
}
