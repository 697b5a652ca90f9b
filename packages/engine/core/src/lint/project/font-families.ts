import type { Declaration } from 'postcss'

const KEYWORDS = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer'])
const SYSTEM_FONTS = new Set(['caption', 'icon', 'menu', 'message-box', 'small-caption', 'status-bar'])

/** The parts of a value between separators outside of quotes and brackets, without empty ones. */
const splitOutside = (value: string, separator: RegExp): string[] => {
  const parts: string[] = []
  let quote = ''
  let depth = 0
  let start = 0
  for (let index = 0; index <= value.length; index += 1) {
    const character = value.charAt(index)
    const isEnd = character === '' || (quote === '' && depth === 0 && separator.test(character))
    if (isEnd && index > start) parts.push(value.slice(start, index))
    if (isEnd) start = index + 1
    else if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '(') depth += 1
    else if (character === ')') depth = Math.max(0, depth - 1)
  }
  return parts
}

const unquote = (name: string) =>
  name
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The families that a `font-family` value names, without those that only the page can resolve. */
export const familiesIn = (value: string): string[] =>
  splitOutside(value, /,/)
    .map((part) => part.trim().replace(/!important$/i, ''))
    .filter((part) => !/[()]/.test(part))
    .map(unquote)
    .filter((name) => name !== '' && !KEYWORDS.has(name.toLowerCase()))

/** A size of a `font` shorthand, which may have a line height after it. */
const SIZE =
  /^(?:[\d.]+(?:%|[a-z]+)|(?:x{1,3}-)?(?:small|large)|medium|smaller|larger|(?:calc|clamp|min|max|var)\(.*\))(?:\/.*)?$/is

/** What stands after the size and the line height of a `font` shorthand. */
const afterSize = (value: string): string => {
  const words = splitOutside(value, /\s/)
  const size = words.findIndex((word) => SIZE.test(word))
  if (size < 0) return ''
  const [next = '', ...others] = words.slice(size + 1)
  if (words[size]?.endsWith('/')) return others.join(' ')
  if (next === '/') return others.slice(1).join(' ')
  return (next.startsWith('/') ? others : [next, ...others]).join(' ')
}

/** The families that a `font-family` or `font` declaration names. */
export const familiesOf = ({ prop, value }: Pick<Declaration, 'prop' | 'value'>): string[] => {
  const name = prop.toLowerCase()
  if (name === 'font-family') return familiesIn(value)
  if (name !== 'font' || SYSTEM_FONTS.has(value.trim().toLowerCase())) return []
  return familiesIn(afterSize(value))
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
