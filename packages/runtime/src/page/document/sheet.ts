/** A style sheet of the runtime, last in the cascade of its document. */
export interface Sheet {
  /** Puts it (back) in place: a page may have replaced the list of its sheets. */
  attach(): void
  detach(): void
  /** Puts it in place inside a shadow tree too. */
  include(tree: DocumentOrShadowRoot): void
}

/** Creates a style sheet for a window's document, and attaches it. */
export const createSheet = (realm: Window & typeof globalThis, css: string): Sheet => {
  const rules = new realm.CSSStyleSheet()
  rules.replaceSync(css)
  const trees: DocumentOrShadowRoot[] = [realm.document]
  const sheet: Sheet = {
    attach() {
      for (const tree of trees)
        if (!tree.adoptedStyleSheets.includes(rules)) tree.adoptedStyleSheets.push(rules)
    },
    detach() {
      for (const tree of trees)
        tree.adoptedStyleSheets = tree.adoptedStyleSheets.filter((each) => each !== rules)
    },
    include(tree) {
      trees.push(tree)
      sheet.attach()
    },
  }
  sheet.attach()
  return sheet
}
