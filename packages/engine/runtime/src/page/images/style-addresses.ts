const ADDRESS = /url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^"')\s]+))\s*\)/g

/** The rules of a sheet; none of one that no script may read. */
export const readableRules = (sheet: CSSStyleSheet): CSSRuleList | readonly CSSRule[] => {
  try {
    return sheet.cssRules
  } catch {
    return [] // another origin's sheet, which no script may read
  }
}

/** The sheets that one imports; its rules for that come first, beside names of layers. */
const importedBy = (sheet: CSSStyleSheet): CSSStyleSheet[] => {
  const imported: CSSStyleSheet[] = []
  for (const rule of readableRules(sheet)) {
    if ('styleSheet' in rule) {
      if (rule.styleSheet) imported.push(rule.styleSheet as CSSStyleSheet)
    } else if (!('nameList' in rule)) break
  }
  return imported
}

/** A sheet and those that it imports. */
export const withImports = (sheet: CSSStyleSheet): CSSStyleSheet[] => [sheet, ...importedBy(sheet).flatMap(withImports)]

/** An address in a value of a style. */
export interface StyleAddress {
  /** The whole `url()`. */
  readonly written: string
  readonly text: string
  /** As it is fetched. */
  readonly address: string
}

/** The addresses in a value of a style sheet or an attribute whose addresses begin at `base`. */
export const styleAddressesIn = (value: string, base: string): StyleAddress[] =>
  [...value.matchAll(ADDRESS)].flatMap(([written, ...kinds]) => {
    const text = kinds.find((kind) => kind !== undefined)?.replace(/\\(.)/g, '$1') ?? ''
    return URL.canParse(text, base) ? [{ written, text, address: new URL(text, base).href }] : []
  })
