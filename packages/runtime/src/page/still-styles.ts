import type { Realm } from './natives.ts'

const ADDRESS = /url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^"')\s]+))\s*\)/g
const DRAWING = /\.svg(?:[?#]|$)|^data:image\/svg/i
const MAY_MOVE = /\.(?:gif|a?png|webp|avif|svg)(?:[?#]|$)|^data:image\/(?!jpe?g)/i

/** A declaration of the page that names images. */
interface Naming {
  readonly style: CSSStyleDeclaration
  readonly property: string
  readonly base: string
}

const stylesOf = (rules: CSSRuleList): CSSStyleDeclaration[] =>
  [...rules].flatMap((rule) => [
    ...('style' in rule ? [rule.style as CSSStyleDeclaration] : []),
    ...('cssRules' in rule ? stylesOf(rule.cssRules as CSSRuleList) : []),
  ])

const rulesOf = (sheet: CSSStyleSheet): CSSRuleList | [] => {
  try {
    return sheet.cssRules
  } catch {
    return [] // another origin's sheet, which no script may read
  }
}

const namingsOf = (style: CSSStyleDeclaration, base: string): Naming[] =>
  style.cssText.includes('url(')
    ? [...style]
        .filter((property) => property !== 'src' && style.getPropertyValue(property).includes('url('))
        .map((property) => ({ style, property, base }))
    : []

/** The addresses of images in a value, as they are written and as they are fetched. */
const imagesIn = (value: string, base: string): [written: string, address: string][] =>
  [...value.matchAll(ADDRESS)].flatMap(([written, ...kinds]) => {
    const text = kinds.find((kind) => kind !== undefined)?.replace(/\\(.)/g, '$1') ?? ''
    return URL.canParse(text, base) && MAY_MOVE.test(text) ? [[written, new URL(text, base).href]] : []
  })

/** What the browser has fetched by now: rules that apply to nothing name files that nobody needs. */
const fetchedBy = (realms: readonly Realm[]): ReadonlySet<string> =>
  new Set(
    realms.flatMap(({ performance }) => performance.getEntriesByType('resource').map(({ name }) => name)),
  )

/** Makes drawings that style sheets name stand still, since no style reaches into them; other images do by themselves. */
export const holdStyleImages = async (
  realms: readonly Realm[],
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
  /** Called with an image's address; gives that of its first frame when it is a drawing that moves. */
  stillOf: (address: string) => Promise<string | undefined>,
): Promise<void> => {
  const fetched = fetchedBy(realms)
  const namings = realms.flatMap((realm) =>
    treesOf(realm).flatMap((tree) => {
      const { baseURI } = realm.document
      const sheets = [...tree.styleSheets, ...tree.adoptedStyleSheets]
      return [
        ...sheets.flatMap((sheet) =>
          stylesOf(rulesOf(sheet) as CSSRuleList).flatMap((style) => namingsOf(style, sheet.href ?? baseURI)),
        ),
        ...[...tree.querySelectorAll<HTMLElement>('[style*="url("]')].flatMap(({ style }) =>
          namingsOf(style, baseURI),
        ),
      ]
    }),
  )
  await Promise.all(
    namings.map(async ({ style, property, base }) => {
      let value = style.getPropertyValue(property)
      for (const [written, address] of imagesIn(value, base)) {
        const isOwn = DRAWING.test(address) && address.startsWith(location.origin)
        if (!isOwn && !address.startsWith('data:') && !fetched.has(address)) continue
        const still = await stillOf(address)
        if (still !== undefined) value = value.replace(written, `url("${still}")`)
      }
      if (value !== style.getPropertyValue(property))
        style.setProperty(property, value, style.getPropertyPriority(property))
    }),
  )
}
