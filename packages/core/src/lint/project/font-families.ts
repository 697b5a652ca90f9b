import type { Declaration } from 'postcss'

const KEYWORDS = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer'])
const SYSTEM_FONTS = new Set(['caption', 'icon', 'menu', 'message-box', 'small-caption', 'status-bar'])

/** Splits at commas outside of quotes and brackets. */
const splitList = (value: string): string[] => value.match(/(?:"[^"]*"|'[^']*'|\([^)]*\)|[^,"'(])+/g) ?? []

const unquote = (name: string) =>
  name
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The families that a `font-family` value names, without those that only the page can resolve. */
export const familiesIn = (value: string): string[] =>
  splitList(value)
    .map((part) => part.replace(/\s*!important\s*$/i, ''))
    .filter((part) => !/[()]/.test(part))
    .map(unquote)
    .filter((name) => name !== '' && !KEYWORDS.has(name.toLowerCase()))

const SIZE =
  /(?:^|\s)(?:[\d.]+(?:%|[a-z]+)|(?:xx?-|xxx-)?(?:small|large)|medium|smaller|larger|(?:calc|clamp|min|max|var)\([^)]*\))(?:\s*\/\s*(?:[\w.%-]+|\w+\([^)]*\)))?\s+(.+)$/is

/** The families that a `font-family` or `font` declaration names. */
export const familiesOf = ({ prop, value }: Pick<Declaration, 'prop' | 'value'>): string[] => {
  const name = prop.toLowerCase()
  if (name === 'font-family') return familiesIn(value)
  if (name !== 'font' || SYSTEM_FONTS.has(value.trim().toLowerCase())) return []
  return familiesIn(SIZE.exec(value)?.[1] ?? '')
}

/** The families that a link to Google Fonts loads. */
export const linkedFamilies = (href: string): string[] => {
  if (!URL.canParse(href, 'https://fonts.googleapis.com')) return []
  const { hostname, searchParams } = new URL(href, 'https://fonts.googleapis.com')
  if (hostname !== 'fonts.googleapis.com') return []
  return searchParams
    .getAll('family')
    .flatMap((text) => text.split('|'))
    .map((text) => text.replace(/:.*$/s, '').trim())
}
