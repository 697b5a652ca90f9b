import { defaultTreeAdapter as adapter } from 'parse5'
import { splitReference } from '../source/project-references.ts'
import { attributeOf, descendants, type Element } from '../source/tree.ts'
import { setAttribute, textOf } from './nested-file.ts'
import { readSheet, type SheetReader, type SheetSource, scopeSheets } from './nested-styles.ts'
import { rewriteAttributes } from './rewrite-paths.ts'
import { renameFonts } from './scope-fonts.ts'
import { scopeIds } from './scope-ids.ts'

/** Removes the style sheets from a host. A sheet that is not a project file is added to `styles` as an import. */
const takeSheets = async (
  host: Element,
  file: string,
  reader: SheetReader,
  styles: string[],
): Promise<SheetSource[]> => {
  const sheets: SheetSource[] = []
  for (const element of [...descendants(host)]) {
    const href = /\bstylesheet\b/i.test(attributeOf(element, 'rel') ?? '') && attributeOf(element, 'href')
    const media = attributeOf(element, 'media') ?? ''
    if (element.tagName === 'style') {
      const { text, line } = textOf(element)
      sheets.push({ css: text, file, line, media })
    } else if (element.tagName === 'link' && href) {
      const reference = splitReference(href)
      const sheet = reference && (await reader.read(file, reference.path))
      if (sheet) sheets.push({ ...sheet, line: 1, media })
      else styles.push(`@import url("${reader.rewriteFrom(file)(href)}") ${media};`)
    } else continue
    adapter.detachNode(element)
  }
  return sheets
}

/** What scoping the styles of an instance needs, and what it adds to. */
export interface StyleScope {
  readonly reader: SheetReader
  /** Ids in use in the page; grows by those of each instance. */
  readonly taken: Set<string>
  /** Texts of all scoped style sheets; grows by those of each instance. */
  readonly styles: string[]
}

/** Moves the style sheets of an instance out of its host, scoped to it, and rewrites paths, ids and fonts inside it. */
export const moveStyles = async (
  host: Element,
  file: string,
  instance: string,
  { reader, taken, styles }: StyleScope,
): Promise<void> => {
  const sheets = []
  for (const source of await takeSheets(host, file, reader, styles)) sheets.push(await readSheet(source, reader))
  const ids = scopeIds(host, instance, taken, sheets.map(String))
  const { texts, fonts, renameInline } = scopeSheets(sheets, instance, ids)
  styles.push(...texts)
  for (const element of descendants(host)) {
    rewriteAttributes(element, reader.rewriteFrom(file))
    const style = attributeOf(element, 'style')
    if (style !== null) setAttribute(element, 'style', renameInline(style))
    const family = attributeOf(element, 'font-family')
    if (family !== null) setAttribute(element, 'font-family', renameFonts(family, fonts))
  }
}
