/** A weight, or the first and the last of a range. */
export type FontWeights = readonly [from: number, to: number]

/** One style of a family that an address asks for. */
export interface FontFace {
  readonly italic: boolean
  readonly weights: FontWeights
}

/** One family that an address asks for. */
export interface FontRequest {
  readonly family: string
  /** The version of the API, and the value of the address's parameter, such as `Inter:wght@400;700`. */
  readonly api: 'css' | 'css2'
  readonly parameter: string
  readonly faces: readonly FontFace[]
  /** Axes besides weight and italics, such as `opsz`. */
  readonly axes: readonly string[]
}

/** What an address of Google Fonts asks for. */
export interface FontAddress {
  readonly requests: readonly FontRequest[]
  /** The value for `font-display`. */
  readonly display: string
}

const HOST = 'fonts.googleapis.com'
const REGULAR: FontFace = { italic: false, weights: [400, 400] }
const DISPLAYS = new Set(['auto', 'block', 'swap', 'fallback', 'optional'])

const tidy = (family: string) => family.trim().replaceAll(/\s+/g, ' ')

const weightsOf = (text: string): FontWeights | undefined => {
  const [from = Number.NaN, to = from] = text.split('..').map(Number)
  return from >= 1 && to >= from && to <= 1000 ? [from, to] : undefined
}

/** `Inter:ital,wght@0,400;1,700`, of the second version of the API. */
const readAxes = (text: string): FontRequest => {
  const [family = '', axesText = ''] = text.split(':')
  const [names = '', tuples = ''] = axesText.split('@')
  const tags = names.split(',').filter(Boolean)
  const faces = tuples.split(';').flatMap((tuple) => {
    const values = new Map(tuple.split(',').map((value, index) => [tags[index], value]))
    const weights = tags.includes('wght') ? weightsOf(values.get('wght') ?? '') : REGULAR.weights
    return weights === undefined ? [] : [{ italic: values.get('ital') === '1', weights }]
  })
  const axes = tags.filter((tag) => tag !== 'wght' && tag !== 'ital')
  return { family: tidy(family), api: 'css2', parameter: text, faces: faces.length > 0 ? faces : [REGULAR], axes }
}

const NAMED: Readonly<Record<string, FontFace>> = {
  regular: REGULAR,
  b: { italic: false, weights: [700, 700] },
  bold: { italic: false, weights: [700, 700] },
  i: { italic: true, weights: [400, 400] },
  italic: { italic: true, weights: [400, 400] },
  bi: { italic: true, weights: [700, 700] },
  bolditalic: { italic: true, weights: [700, 700] },
}

/** `Inter:400,700italic`, of the first version of the API. */
const readVariants = (text: string): FontRequest => {
  const [family = '', variants = ''] = text.split(':')
  const faces = variants.split(',').flatMap((variant): FontFace[] => {
    const name = variant.trim().toLowerCase()
    const [, digits, slant] = /^(\d+)(i|italic)?$/.exec(name) ?? []
    const weights = digits === undefined ? undefined : weightsOf(digits)
    if (weights) return [{ italic: slant !== undefined, weights }]
    return Object.hasOwn(NAMED, name) ? [NAMED[name] as FontFace] : []
  })
  return { family: tidy(family), api: 'css', parameter: text, faces: faces.length > 0 ? faces : [REGULAR], axes: [] }
}

/** Reads the address of a style sheet of Google Fonts; undefined for any other address. */
export const parseFontAddress = (url: string): FontAddress | undefined => {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, port, pathname, searchParams } = new URL(url)
  if (!/^https?:$/.test(protocol) || hostname !== HOST || port !== '') return undefined
  if (pathname !== '/css' && pathname !== '/css2') return undefined
  const texts = searchParams.getAll('family')
  const requests =
    pathname === '/css2' ? texts.map(readAxes) : texts.flatMap((text) => text.split('|')).map(readVariants)
  const display = searchParams.get('display') ?? ''
  return {
    requests: requests.filter(({ family }) => family !== ''),
    display: DISPLAYS.has(display) ? display : 'auto',
  }
}

/** The address of a style sheet with one family. */
export const addressOfFamily = ({ api, parameter }: FontRequest, display: string): string =>
  `https://${HOST}/${api}?${new URLSearchParams({ family: parameter, display })}`
