/** A stylesheet of the runtime, last in the cascade of its document. */
export interface Sheet {
  /** Puts it (back) in place: a page may have replaced the list of its sheets. */
  attach(): void
  detach(): void
}

/** Makes a stylesheet for a window's document, and attaches it. */
export const createSheet = (realm: Window & typeof globalThis, css: string): Sheet => {
  const rules = new realm.CSSStyleSheet()
  rules.replaceSync(css)
  const others = () => realm.document.adoptedStyleSheets.filter((sheet) => sheet !== rules)
  const sheet: Sheet = {
    attach() {
      if (!realm.document.adoptedStyleSheets.includes(rules)) realm.document.adoptedStyleSheets.push(rules)
    },
    detach() {
      realm.document.adoptedStyleSheets = others()
    },
  }
  sheet.attach()
  return sheet
}
