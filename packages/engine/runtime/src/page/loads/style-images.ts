import { readableRules, styleAddressesIn, withImports } from '../images/style-addresses.ts'
import { natives, type Realm } from '../realm/natives.ts'
import type { RuleWatches } from '../styles/rule-watch.ts'
import type { TrackLoad } from './element-loads.ts'
import { imageValues } from './image-values.ts'
import { createInlineReader } from './inline-styles.ts'

/** Images of style sheets and style attributes. */
export interface StyleImages {
  install(realm: Realm): void
  /** Requests those that elements have begun to show, so that a frame waits for them. */
  request(realms: Iterable<Realm>): void
}

/** A declaration that names an image. */
interface Named {
  readonly address: string
  readonly property: string
  /** The elements that it is for; undefined for a rule of an animation, whose elements no selector names. */
  readonly selector: string | undefined
}

/** Elements of a rule that are asked for what they show. */
const MAX_ELEMENTS = 200

/** Images that are kept although nothing names them any more. */
const MAX_KEPT = 200

const PSEUDO = /::?(before|after|first-letter|first-line|marker|backdrop|placeholder)\b/

const namedIn = (style: CSSStyleDeclaration, selector: string | undefined, base: string): Named[] =>
  imageValues(style).flatMap(([property, value]) =>
    styleAddressesIn(value, base)
      .filter(({ text }) => !/^(#|data:|blob:)/i.test(text))
      .map(({ address }) => ({ address, property, selector })),
  )

/** By its parts, since a rule may be of another window. */
const applies = (rule: CSSRule): boolean => {
  if (!('conditionText' in rule) || 'containerQuery' in rule) return true
  const { conditionText } = rule as CSSConditionRule
  return 'media' in rule ? matchMedia(conditionText).matches : CSS.supports(conditionText)
}

const namedByRules = (rules: CSSRuleList | readonly CSSRule[], base: string): Named[] =>
  [...rules]
    .filter(applies)
    .flatMap((rule) => [
      ...('style' in rule
        ? namedIn(rule.style as CSSStyleDeclaration, (rule as Partial<CSSStyleRule>).selectorText, base)
        : []),
      ...('cssRules' in rule ? namedByRules(rule.cssRules as CSSRuleList, base) : []),
    ])

/** What the sheets of a tree name, read again only when there are other sheets or rules. */
const createSheetReader = () => {
  const read = new WeakMap<Document | ShadowRoot, { readonly key: readonly unknown[]; readonly named: Named[] }>()
  return (tree: Document | ShadowRoot, baseURI: string, version: number): Named[] => {
    const sheets = [...tree.styleSheets, ...tree.adoptedStyleSheets].flatMap(withImports)
    const key = [version, ...sheets.flatMap((sheet) => [sheet, readableRules(sheet).length])]
    const before = read.get(tree)
    if (before?.key.length === key.length && before.key.every((each, index) => each === key[index])) return before.named
    const named = sheets.flatMap((sheet) => namedByRules(readableRules(sheet), sheet.href ?? baseURI))
    read.set(tree, { key, named })
    return named
  }
}

const find = (tree: Document | ShadowRoot, selector: string): readonly Element[] | undefined => {
  try {
    return [...tree.querySelectorAll(selector)].slice(0, MAX_ELEMENTS)
  } catch {
    return undefined // a selector with a part that only a style sheet knows
  }
}

/** Whether an element, or a part of it that the rule draws, shows the image now. */
const isShownBy = (element: Element, { address, property, selector = '' }: Named): boolean => {
  if (!element.checkVisibility()) return false
  // A property of the page's own is used by elements that cannot be known.
  if (property.startsWith('--')) return true
  const pseudo = PSEUDO.exec(selector)?.[1]
  const style = natives.getComputedStyle(element, pseudo && `::${pseudo}`)
  return style.getPropertyValue(property).includes(address)
}

const isShown = (tree: Document | ShadowRoot, named: Named): boolean => {
  const { selector } = named
  if (selector === undefined || selector.includes(':host') || selector.includes('::slotted')) return true
  const elements = find(tree, selector.replaceAll(new RegExp(PSEUDO, 'g'), '').replaceAll(/(^|,)\s*(?=,|$)/g, '$1*'))
  return elements === undefined || elements.some((element) => isShownBy(element, named))
}

/**
 * Creates the list. A browser requests an image when an element first shows it, and draws the element without it until then:
 * in which frame it is there would depend on the machine. `track` has a frame wait.
 */
export const createStyleImages = (
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
  ruleWatches: RuleWatches,
  track: TrackLoad,
): StyleImages => {
  const sheetsOf = createSheetReader()
  const inlineOf = createInlineReader()
  const versions = new WeakMap<Realm, () => number>()
  /** Kept, so that the browser keeps what they have loaded. */
  const images = new Map<string, HTMLImageElement>()

  const load = (address: string) => {
    const image = new natives.Image()
    images.set(address, image)
    image.src = address
    const ends = ['load', 'error'].map(
      (type) => new Promise((resolve) => natives.listen.call(image, type, resolve, { once: true })),
    )
    track(Promise.race(ends), `image ${address}`)
  }
  const namedByElements = (tree: Document | ShadowRoot, baseURI: string): Named[] =>
    inlineOf(tree).flatMap((element) => (element.checkVisibility() ? namedIn(element.style, undefined, baseURI) : []))
  return {
    install(realm) {
      versions.set(
        realm,
        ruleWatches.of(realm).follow((style) => imageValues(style).join()),
      )
    },
    request(realms) {
      const addresses = new Set<string>()
      for (const realm of realms) {
        const version = versions.get(realm)?.() ?? 0
        const { baseURI } = realm.document
        for (const tree of treesOf(realm))
          for (const named of [...sheetsOf(tree, baseURI, version), ...namedByElements(tree, baseURI)]) {
            addresses.add(named.address)
            if (!images.has(named.address) && isShown(tree, named)) load(named.address)
          }
      }
      // A page may name another one in each frame.
      if (images.size > MAX_KEPT)
        for (const address of images.keys()) if (!addresses.has(address)) images.delete(address)
    },
  }
}
