import { replaceRawElements } from '@vid/core'

/**
 * CSS keeps these names for the browser's own fonts, so that no font can be given under them. A render draws them with its
 * bundled fonts: a name that these are given under is put before each. Without quotes, for attributes.
 */
const NAMES: Readonly<Record<string, string>> = {
  'sans-serif': 'Inter',
  'system-ui': 'Inter',
  'ui-sans-serif': 'Inter',
  'ui-rounded': 'Inter',
  cursive: 'Inter',
  fantasy: 'Inter',
  serif: 'Georgia',
  'ui-serif': 'Georgia',
  math: 'Georgia',
  monospace: 'Menlo',
  'ui-monospace': 'Menlo',
}

const GENERIC = new RegExp(`(^|[\\s,])(${Object.keys(NAMES).join('|')})(?=\\s*(?:,|$|!))`, 'gi')

/** Browsers make text without a size in this one family alone smaller, which a list of families would undo. */
const ALONE = /^\s*monospace\s*(?:$|!)/i

/** A list of families, or a shorthand with one, in which generic ones have a name before them. */
export const nameGenerics = (value: string): string =>
  ALONE.test(value)
    ? value
    : value.replace(
        GENERIC,
        (match, before: string, name: string) =>
          `${before}${NAMES[name.toLowerCase()] ?? name}, ${match.slice(before.length)}`,
      )

/** Declarations that families may stand in, also custom properties. */
const DECLARATION = /((?:^|[\s;{"'])(?:font|font-family|--[\w-]+)\s*:)((?:[^;{}"'\n]|"[^"\n]*"|'[^'\n]*')*)/gi

const ATTRIBUTE = /(\sfont-family\s*=\s*)("[^"]*"|'[^']*')/gi
const STYLE_ATTRIBUTE = /(\sstyle\s*=\s*)("[^"]*"|'[^']*')/gi

/** Unquoted, or what is between the quotes, with the quotes put back. */
const changeQuoted = (quoted: string, change: (text: string) => string) =>
  `${quoted.slice(0, 1)}${change(quoted.slice(1, -1))}${quoted.slice(-1)}`

/** A style sheet, or declarations, whose generic families have names before them. */
export const nameInCss = (css: string): string =>
  css.replace(DECLARATION, (_, property: string, value: string) => `${property}${nameGenerics(value)}`)

/** A document whose styles have names before generic families. */
export const nameInHtml = (html: string): string =>
  replaceRawElements(html, 'style', nameInCss)
    .replace(STYLE_ATTRIBUTE, (_, name: string, value: string) => `${name}${changeQuoted(value, nameInCss)}`)
    .replace(ATTRIBUTE, (_, name: string, value: string) => `${name}${changeQuoted(value, nameGenerics)}`)
