// What Gradio leaves out for screen readers and the keyboard, and how Python is indented.
() => {
  const language = /\/(en|fr)\/?$/.exec(window.location.pathname);
  if (language) document.documentElement.lang = language[1];
  const set = (element, name, value) => {
    if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  // The editor's light colours have a contrast of 2 to 4 to 1; each is read at 7 to 1 here. Its classes have made-up names.
  const INK = {
    "rgb(94, 129, 172)": "#1d4f91", "rgb(129, 161, 193)": "#1d4f91", "rgb(136, 192, 208)": "#155e75",
    "rgb(143, 188, 187)": "#115e59", "rgb(163, 190, 140)": "#3f6212", "rgb(180, 142, 173)": "#6b21a8",
    "rgb(191, 97, 106)": "#9f1239", "rgb(208, 135, 112)": "#9a3412", "rgb(235, 203, 139)": "#713f12",
  };
  const ink = document.head.appendChild(document.createElement("style"));
  let seen = 0;
  const darken = () => {
    // CodeMirror writes its rules anew whenever it has more of them, so ours stand apart.
    const made = [...document.head.querySelectorAll("style")].filter((each) => each.textContent.includes(".ͼ") && each !== ink);
    const length = made.reduce((sum, each) => sum + each.textContent.length, 0);
    if (length === seen) return;
    seen = length;
    const rules = made.flatMap((each) => [...each.sheet.cssRules]).filter((rule) => INK[rule.style?.color]);
    ink.textContent = rules.map((rule) => `.cm-editor ${rule.selectorText} { color: ${INK[rule.style.color]}; }`).join("\n");
  };
  const mend = () => {
    darken();
    // Both editors are called "Code input container", whatever their label.
    const name = document.querySelector("#editor-head h2")?.dataset.label;
    if (name) set(document.querySelector("#editor .cm-content"), "aria-label", name);
    const read = document.querySelector("#around-box button")?.textContent.replace(/[^\p{L} ']/gu, "").trim();
    if (read) set(document.querySelector("#around .cm-content"), "aria-label", read);
    // So that the arrow keys move what is only read.
    set(document.querySelector("#around .cm-scroller"), "tabindex", "0");
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

  // The editor indents by two columns, and Gradio lets nobody say four. Where it cannot be reached, it stays so.
  const STEP = 4;
  const breakLine = (view, { from, to }) => {
    const line = view.state.doc.lineAt(from);
    const before = line.text.slice(0, from - line.from);
    let columns = /^ */.exec(before)[0].length;
    if (/:\s*(#.*)?$/.test(before)) columns += STEP;
    else if (columns > STEP && /^ +(return|raise|pass|break|continue)\b/.test(before)) columns -= STEP;
    const insert = "\n" + " ".repeat(columns);
    return { changes: { from, to, insert }, selection: { anchor: from + insert.length } };
  };
  const indent = (view, { from, to }) => {
    const first = view.state.doc.lineAt(from);
    if (to > first.to) return shift(view, { from, to }, () => " ".repeat(STEP), () => 0);
    const insert = " ".repeat(STEP - ((from - first.from) % STEP));
    return { changes: { from, to, insert }, selection: { anchor: from + insert.length } };
  };
  const outdent = (view, range) =>
    shift(view, range, () => "", (text) => Math.min(STEP, /^ */.exec(text)[0].length));
  const shift = (view, { from, to }, added, removed) => {
    const changes = [];
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      if (line.length) changes.push({ from: line.from, to: line.from + removed(line.text), insert: added() });
      at = line.to + 1;
    }
    return { changes };
  };
  let leaving = false; // Escape, then Tab leaves the editor
  document.addEventListener("keydown", (event) => {
    const content = event.target.closest?.("#editor .cm-content");
    if (!content || event.isComposing) return;
    const stay = leaving && event.key === "Tab";
    leaving = event.key === "Escape" || (leaving && event.key === "Shift");
    if (stay) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const view = (content.cmTile ?? content.cmView)?.view;
    const change =
      !plain || !view ? null
      : event.key === "Enter" && !event.shiftKey ? breakLine
      : event.key === "Tab" ? (event.shiftKey ? outdent : indent)
      : null;
    const runs = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!change && !runs) return;
    event.preventDefault();
    event.stopPropagation();
    if (runs) document.getElementById("run")?.click();
    else view.dispatch({ ...change(view, view.state.selection.main), scrollIntoView: true, userEvent: "input" });
  }, true);

  mend();
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
}
