import type { Realm } from '../realm/natives.ts'
import { createInlinedMasks } from './inlined-masks.ts'
import { readableRules, styleAddressesIn, withImports } from './style-addresses.ts'

const DRAWING = /\.svg(?:[?#]|$)|^data:image\/svg/i

/** A mask that is a part of a file; the browser loses it with the next change of its element's style. */
const PART = /\.svg(?:\?[^#]*)?#./i
const MAY_MOVE = /\.(?:gif|a?png|webp|avif|svg)(?:[?#]|$)|^data:image\/(?!jpe?g)/i

/** A declaration of the page with images. */
interface ImageDeclaration {
  readonly tree: Document | ShadowRoot
  readonly style: CSSStyleDeclaration
  readonly property: string
  readonly base: string
}

const stylesOf = (rules: CSSRuleList | readonly CSSRule[]): CSSStyleDeclaration[] =>
  [...rules].flatMap((rule) => [
    ...('style' in rule ? [rule.style as CSSStyleDeclaration] : []),
    ...('cssRules' in rule ? stylesOf(rule.cssRules as CSSRuleList) : []),
  ])

const declarationsOf = (tree: Document | ShadowRoot, style: CSSStyleDeclaration, base: string): ImageDeclaration[] =>
  style.cssText.includes('url(')
    ? [...style]
        .filter((property) => property !== 'src' && style.getPropertyValue(property).includes('url('))
        .map((property) => ({ tree, style, property, base }))
    : []

/** The addresses of images in a value that may move, as they are written and as they are fetched. */
const imagesIn = (value: string, base: string): [written: string, address: string][] =>
  styleAddressesIn(value, base).flatMap(({ written, text, address }) =>
    MAY_MOVE.test(text) ? [[written, address]] : [],
  )

/** Addresses that the browser has fetched: rules that apply to nothing name files that are not needed. */
const fetchedBy = (realms: readonly Realm[]): ReadonlySet<string> =>
  new Set(realms.flatMap(({ performance }) => performance.getEntriesByType('resource').map(({ name }) => name)))

const namedIn = (tree: Document | ShadowRoot, baseURI: string): ImageDeclaration[] => [
  ...[...tree.styleSheets, ...tree.adoptedStyleSheets]
    .flatMap(withImports)
    .flatMap((sheet) =>
      stylesOf(readableRules(sheet)).flatMap((style) => declarationsOf(tree, style, sheet.href ?? baseURI)),
    ),
  ...[...tree.querySelectorAll<HTMLElement>('[style*="url("]')].flatMap(({ style }) =>
    declarationsOf(tree, style, baseURI),
  ),
]

/**
 * Replaces animated images in style sheets by their first frames, and masks of other files by copies of them. `stillOf` returns the address of an image's
 * first frame. Returns the pending replacements.
 */
export const replaceStyleImages = (
  realms: readonly Realm[],
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
  stillOf: (address: string) => Promise<string | undefined>,
): Promise<void>[] => {
  const fetched = fetchedBy(realms)
  const isNeeded = (address: string) =>
    address.startsWith('data:') ||
    fetched.has(address) ||
    // A class may apply it later, and then it must be static too.
    (DRAWING.test(address) && address.startsWith(location.origin))
  const masks = createInlinedMasks()
  /** What a declaration refers to instead. */
  const insteadOf = async ({ tree, property }: ImageDeclaration, address: string) => {
    const isMask = /mask/.test(property) && PART.test(address) && address.startsWith(location.origin)
    const id = isMask ? await masks.idOf(tree, address) : undefined
    return id === undefined ? stillOf(address) : `#${id}`
  }
  const replace = async (declaration: ImageDeclaration, reference: string, address: string) => {
    const { style, property } = declaration
    const instead = await insteadOf(declaration, address)
    if (instead === undefined) return
    const value = style.getPropertyValue(property).replace(reference, () => `url("${instead}")`)
    style.setProperty(property, value, style.getPropertyPriority(property))
  }
  return realms
    .flatMap((realm) => treesOf(realm).flatMap((tree) => namedIn(tree, realm.document.baseURI)))
    .flatMap((declaration) =>
      imagesIn(declaration.style.getPropertyValue(declaration.property), declaration.base)
        .filter(([, address]) => isNeeded(address))
        .map(([reference, address]) => replace(declaration, reference, address)),
    )
}
