import postcss, { type Declaration, type Root, type Rule } from 'postcss'

export type { Declaration as CssDeclaration, Root as CssRoot, Rule as CssRule }

/** Parses a style sheet, or the declarations of a style attribute; throws the parser's error. */
export const parseSheet = (css: string): Root => postcss.parse(css)
