import {
  type CssDeclaration,
  type CssRoot,
  type CssRule,
  type Element,
  type LintFile,
  type LintSheet,
  parseSheet,
} from '@vid/core/source-model'
import type { Sources } from './sources.ts'

/** A parsed style sheet with the place of its text in its file. */
export interface ParsedSheet {
  readonly sheet: LintSheet
  readonly root: CssRoot
  /** Added to an offset of its nodes, this is the offset in its file. */
  readonly offset: number
  /** Its `<style>`; null in a file of its own. */
  readonly holder: Element | null
}

const holderOf = (page: LintFile, start: number): Element | null =>
  page.elements.find(
    ({ tagName, sourceCodeLocation: place }) => tagName === 'style' && place?.startTag?.endOffset === start,
  ) ?? null

const readSheets = (sources: Sources, page: LintFile): readonly ParsedSheet[] =>
  page.sheets.flatMap((sheet) => {
    const whole = sources.textOf(sheet.file)
    if (whole === undefined || sheet.problem) return []
    const offset = sheet.span?.start ?? 0
    const text = sheet.span ? whole.slice(sheet.span.start, sheet.span.end) : whole
    try {
      return [{ sheet, root: parseSheet(text), offset, holder: sheet.span ? holderOf(page, offset) : null }]
    } catch {
      return [] // vid lint reports it.
    }
  })

const readings = new WeakMap<LintFile, readonly ParsedSheet[]>()

/** The style sheets of a file, parsed from the text as it is written; what cannot be parsed is left out. */
export const sheetsOf = (sources: Sources, page: LintFile): readonly ParsedSheet[] => {
  const sheets = readings.get(page) ?? readSheets(sources, page)
  readings.set(page, sheets)
  return sheets
}

/** The line of a node of a style sheet, in its file. */
export const lineOfNode = ({ sheet }: ParsedSheet, node: CssRule | CssDeclaration): number =>
  sheet.line + (node.source?.start?.line ?? 1) - 1

/** Every rule of a style sheet but those of `@keyframes`. */
export const rulesOf = ({ root }: ParsedSheet): readonly CssRule[] => {
  const rules: CssRule[] = []
  root.walkRules((rule) => {
    const { parent } = rule
    const isFrame = parent?.type === 'atrule' && /keyframes$/i.test((parent as unknown as { name: string }).name)
    if (!isFrame) rules.push(rule)
  })
  return rules
}
