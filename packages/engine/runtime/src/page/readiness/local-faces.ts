import type { Realm } from '../realm/natives.ts'

const LOCAL = /\blocal\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*))\s*\)\s*,?\s*/g

const plain = (name: string): string =>
  name
    .replaceAll(/["']/g, '')
    .replace(/[\s-]*regular$/i, '')
    .trim()
    .toLowerCase()

/** Whether a face claims several weights. */
const isRange = (weight: string): boolean => {
  const [from = '', to = from] = weight.trim().split(/\s+/)
  return from !== to
}

/** The text of a rule for a face that claims several weights and is first taken from one installed file of its own family. */
const withoutLocals = ({ style, cssText }: CSSFontFaceRule): string | undefined => {
  const src = style.getPropertyValue('src')
  const family = plain(style.getPropertyValue('font-family'))
  const names = [...src.matchAll(LOCAL)].map(([, double, single, bare]) => plain(double ?? single ?? bare ?? ''))
  const isOwn = names.length > 0 && names.every((name) => name === family)
  if (!isOwn || !isRange(style.getPropertyValue('font-weight'))) return undefined
  const rest = src.replaceAll(LOCAL, '').trim()
  return rest === '' ? '' : cssText.replace(src, rest)
}

const rulesOf = (sheet: CSSStyleSheet | CSSGroupingRule): CSSRuleList | undefined => {
  try {
    return sheet.cssRules
  } catch {
    return undefined // another origin's sheet, which no script may read
  }
}

/** Changes the rules of a sheet, or of a rule in it; classes of rules differ between windows. */
const replaceIn = (owner: CSSStyleSheet | CSSGroupingRule): void => {
  for (const [index, rule] of [...(rulesOf(owner) ?? [])].entries()) {
    const { styleSheet } = rule as CSSImportRule
    if (styleSheet) replaceIn(styleSheet)
    if (rule.constructor.name !== 'CSSFontFaceRule') {
      if ('insertRule' in rule) replaceIn(rule as CSSGroupingRule)
      continue
    }
    const text = withoutLocals(rule as CSSFontFaceRule)
    if (text === undefined) continue
    owner.deleteRule(index)
    // An empty rule keeps the place of those after it.
    owner.insertRule(text || ':not(*){}', index)
  }
}

/**
 * Removes `local()` from faces of several weights, in sheets that have loaded since the last call: an installed file has
 * one weight, and would be drawn for all of them. The installed family of that name, or the face's other sources, have
 * the others.
 */
export const createLocalFaces = (realms: Iterable<Realm>) => {
  const seen = new WeakMap<CSSStyleSheet, number>()
  return {
    sync(): void {
      for (const { document } of realms)
        for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
          const count = rulesOf(sheet)?.length ?? 0
          if (seen.get(sheet) === count) continue
          seen.set(sheet, count)
          replaceIn(sheet)
        }
    },
  }
}
