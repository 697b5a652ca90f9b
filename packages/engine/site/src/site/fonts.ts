import { type FontFamily, type FontFile, readFontFamilies } from '@vid/assets'
import { GIVE_FONTS } from './font-script.ts'

/** The fonts of a render for browsers that do not have them. */
export interface SiteFonts {
  /** A script that gives a document the fonts; it runs before every other. `text` is what the document may draw. */
  script(text: string): string
  /** Absolute path of a file by its path below `FONT_PATH`; undefined without one. */
  file(path: string): string | undefined
}

/** Where the fonts are on the origin of the compositions. */
export const FONT_PATH = '/.vid/fonts/'

/** Names that CSS keeps for the browser's own choice: no font can be given under them. */
const GENERIC: ReadonlySet<string> = new Set(
  'sans-serif serif monospace system-ui ui-sans-serif ui-serif ui-monospace ui-rounded cursive fantasy math emoji'.split(
    ' ',
  ),
)

/** Families that every text falls back to, in this order, where its own has no glyph. */
const isFallback = ({ family }: FontFamily) => family.startsWith('Noto ')

type Ranges = FontFamily['ranges']

const covers = (ranges: Ranges, point: number) => ranges.some(([first, last]) => first <= point && point <= last)

/** The code points of `ranges` that are in none of `others`, as CSS writes them. */
const rangesWithout = (ranges: Ranges, others: Ranges): string => {
  const points = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  )
  const runs: [number, number][] = []
  for (const point of points.filter((range) => !covers(others, range)).sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && run[1] >= point - 1) run[1] = point
    else runs.push([point, point])
  }
  return runs.map(([a, b]) => `U+${a.toString(16)}${a === b ? '' : `-${b.toString(16)}`}`).join()
}

/** One style of a family, as the script in the page gets it: address, weight, slant, and the characters it is for. */
type Face = readonly [address: string, weight: number, italic: 0 | 1, range: string]

const addressOf = (family: FontFamily, { weight, italic }: FontFile) =>
  `${FONT_PATH}${family.family.toLowerCase().replaceAll(' ', '-')}/${weight}${italic ? 'i' : ''}`

/** A weight in CSS, in an attribute or in a script that sets one. */
const WEIGHT = /\bfont(?:-?weight)?['"]?\s*[:=,](?:(?!font)[^;{}]){0,40}?\b([1-9]00)\b/gi

/** Weights that a text asks for by number or word; a heading is bold by itself. */
const weightsIn = (text: string): ReadonlySet<number> =>
  new Set([400, 700, ...[...text.matchAll(WEIGHT)].map(([, weight]) => Number(weight))])

/** Reads the bundled fonts once. */
export const openFonts = async (): Promise<SiteFonts> => {
  const families = await readFontFamilies()
  const fallbacks = families.filter(isFallback)
  const files = new Map(
    families.flatMap((family) => family.files.map((file) => [addressOf(family, file), file.path] as const)),
  )
  const mainFamilies = families.filter((family) => !isFallback(family))
  const facesOf = (family: FontFamily, range: string): Face[] =>
    family.files.map((file) => [addressOf(family, file), file.weight, file.italic ? 1 : 0, range])
  const facesWithFallbacks = mainFamilies.map((family) => {
    let coverage: Ranges = family.ranges
    const fallbackFaces = fallbacks.flatMap((fallback) => {
      const range = rangesWithout(fallback.ranges, coverage)
      coverage = [...coverage, ...fallback.ranges]
      return facesOf(fallback, range)
    })
    return [...fallbackFaces, ...facesOf(family, '')]
  })
  const fallbackOnlyFaces = fallbacks.map((family) => facesOf(family, ''))
  const plainFaces = mainFamilies.map((family) => facesOf(family, ''))
  const allFamilies = [...mainFamilies, ...fallbacks]
  const names = allFamilies.flatMap(({ family, aliases }, index) =>
    [family, ...aliases.filter((alias) => !GENERIC.has(alias))].map((name) => [name, index] as const),
  )
  return {
    script(text) {
      const lower = text.toLowerCase()
      const usedNames = names.filter(([name]) => lower.includes(name.toLowerCase()))
      const weights = weightsIn(text)
      const isSlanted = /italic|oblique|<(?:em|cite|var|dfn|address)\b/i.test(text)
      // A name that the text does not have may still come from a style sheet: it has the styles of its family alone.
      const unusedNames = names
        .filter((face) => !usedNames.includes(face))
        .map(([name, family]) => [name, family < mainFamilies.length ? allFamilies.length + family : family] as const)
      const eager = [...new Set(usedNames.map(([, family]) => mainFamilies[family]))].flatMap((family) =>
        (family?.files ?? [])
          .filter(({ weight, italic }) => weights.has(weight) && (!italic || isSlanted))
          .map((file) => (family ? addressOf(family, file) : '')),
      )
      const faces = [...facesWithFallbacks, ...fallbackOnlyFaces, ...plainFaces]
      return `(${GIVE_FONTS})(${[[...usedNames, ...unusedNames], faces, eager].map((value) => JSON.stringify(value)).join()});`
    },
    file: (path) => files.get(`${FONT_PATH}${path}`),
  }
}
