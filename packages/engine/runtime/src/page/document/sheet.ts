import { nativeAccessor, type Realm } from '../realm/natives.ts'
import { replaceAccessor } from '../realm/replace.ts'

/** The sheets of the runtime that are attached to a tree. */
const attached = new WeakMap<Document | ShadowRoot, Set<CSSStyleSheet>>()

/** Keeps the runtime's sheets where scripts replace the list of a tree's sheets. */
export const keepSheets = (realm: Realm): void => {
  for (const proto of [realm.Document.prototype, realm.ShadowRoot.prototype]) {
    const { set } = nativeAccessor(proto, 'adoptedStyleSheets')
    replaceAccessor(proto, 'adoptedStyleSheets', {
      set(this: Document | ShadowRoot, value: Iterable<CSSStyleSheet>) {
        const ours = attached.get(this)
        set.call(this, ours?.size ? [...[...value].filter((sheet) => !ours.has(sheet)), ...ours] : value)
      },
    })
  }
}

/** A style sheet of the runtime, last in the cascade of its document. */
export interface RuntimeSheet {
  /** Attaches it again, since a page may have replaced the list of its sheets. */
  attach(): void
  detach(): void
  /** Adds a rule at its end, unless one with the same text has been added. */
  add(rule: string): void
  /** Attaches it to a shadow tree too, if it is not there yet. */
  include(tree: Document | ShadowRoot): void
}

/** Creates a style sheet for a window's document, or one of its shadow trees, and attaches it. */
export const createSheet = (
  realm: Window & typeof globalThis,
  css: string,
  place: Document | ShadowRoot = realm.document,
): RuntimeSheet => {
  const rules = new realm.CSSStyleSheet()
  rules.replaceSync(css)
  const added = new Set<string>()
  const trees = new Set<Document | ShadowRoot>([place])
  /** Whether a tree has not moved to another document, which the sheet cannot follow. */
  const isHere = (tree: Document | ShadowRoot) => tree === realm.document || tree.ownerDocument === realm.document
  const sheet: RuntimeSheet = {
    attach() {
      for (const tree of trees)
        if (isHere(tree)) {
          attached.set(tree, (attached.get(tree) ?? new Set()).add(rules))
          if (!tree.adoptedStyleSheets.includes(rules)) tree.adoptedStyleSheets.push(rules)
        }
    },
    detach() {
      for (const tree of trees) {
        attached.get(tree)?.delete(rules)
        tree.adoptedStyleSheets = tree.adoptedStyleSheets.filter((sheet) => sheet !== rules)
      }
    },
    add(rule) {
      if (!added.has(rule)) rules.insertRule(rule, rules.cssRules.length)
      added.add(rule)
    },
    include(tree) {
      if (trees.has(tree)) return
      trees.add(tree)
      sheet.attach()
    },
  }
  sheet.attach()
  return sheet
}
