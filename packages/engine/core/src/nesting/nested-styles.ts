import postcss from 'postcss'
import { fail } from '../errors.ts'
import { splitReference } from '../source/project-references.ts'
import { type Rewrite, rewriteCssUrls } from './rewrite-paths.ts'
import { keyframeNames, renameAnimations, scopeSheet } from './scope-css.ts'
import { nameFonts, renameInlineFonts, scopeFonts } from './scope-fonts.ts'
import type { IdNames } from './scope-ids.ts'

/** The text of a style sheet and its location. */
export interface SheetSource {
  readonly css: string
  readonly file: string
  /** 1-based line of its first character. */
  readonly line: number
  /** Media query of the sheet; empty for none. */
  readonly media: string
}

/** Access to project files for reading style sheets. */
export interface SheetReader {
  rewriteFrom(file: string): Rewrite
  /** Resolves a reference to a project file and its text; null when it is not a project file. */
  read(from: string, path: string): Promise<{ file: string; css: string } | null>
}

/** Parameters of `@import`: quote, URL and conditions. */
export const IMPORT = /^(?:url\(\s*)?(["']?)(.*?)\1\s*\)?(?:\s+(.*))?$/s
const MAX_IMPORTS = 20

/** Parses a sheet, inlines its local imports and rewrites its paths; remote imports stay. */
export const readSheet = async (source: SheetSource, reader: SheetReader, depth = 0): Promise<postcss.Root> => {
  let sheet: postcss.Root
  try {
    sheet = postcss.parse(source.css)
  } catch (cause) {
    const { reason, line } = cause as postcss.CssSyntaxError
    throw fail('VID_NESTED_BAD_CSS', { file: source.file, line: source.line + (line ?? 1) - 1, reason }, { cause })
  }
  const rewrite = reader.rewriteFrom(source.file)
  sheet.walkDecls((declaration) => {
    declaration.value = rewriteCssUrls(declaration.value, rewrite)
  })
  for (const node of [...sheet.nodes]) {
    if (node.type !== 'atrule' || node.name.toLowerCase() !== 'import') continue
    const [, , url = '', media = ''] = IMPORT.exec(node.params.trim()) ?? []
    const reference = splitReference(url)
    const file = reference && depth < MAX_IMPORTS ? await reader.read(source.file, reference.path) : null
    if (file === null) node.params = `url("${rewrite(url)}")${media && ` ${media}`}`
    else node.replaceWith(...(await readSheet({ ...file, line: 1, media }, reader, depth + 1)).nodes)
  }
  if (source.media === '') return sheet
  const limited = postcss.atRule({ name: 'media', params: source.media })
  limited.append(sheet.nodes)
  return postcss.root({ nodes: [limited] })
}

/** Scopes the style sheets of one instance; returns their texts and a function that renames in inline styles. */
export const scopeSheets = (
  sheets: readonly postcss.Root[],
  instance: string,
  ids: IdNames = new Map<string, string>(),
) => {
  const names = new Set(sheets.flatMap(keyframeNames))
  const fonts = nameFonts(sheets)
  const remote: string[] = []
  for (const sheet of sheets) {
    sheet.walkAtRules(/^import$/i, (rule) => {
      remote.push(`@import ${rule.params};`)
      rule.remove()
    })
    scopeSheet(sheet, names, instance, ids)
    scopeFonts(sheet, fonts)
  }
  return {
    texts: [...remote, ...sheets.map((sheet) => sheet.toString())].map((css) => css.replace(/<\/(?=style)/gi, '<\\/')),
    fonts,
    renameInline: (style: string) =>
      renameInlineFonts(/animation/i.test(style) ? renameAnimations(style, names, instance) : style, fonts),
  }
}
