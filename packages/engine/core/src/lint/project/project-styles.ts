import postcss from 'postcss'
import { type SourceSpan, textOf } from '../../nesting/nested-file.ts'
import { IMPORT } from '../../nesting/nested-styles.ts'
import { attributeOf } from '../../source/tree.ts'
import type { PartReader } from './project-scripts.ts'
import { fileOfUrl } from './reference.ts'

/** A style sheet of a composition, in a `<style>` or in a separate file. */
export interface LintSheet {
  readonly file: string
  /** 1-based line of its first character in that file. */
  readonly line: number
  /** Offsets of its text in that file; null for a whole file. */
  readonly span: SourceSpan | null
  /** Whether it belongs to an embedded file, whose styles are parsed when the composition is compiled. */
  readonly isNested: boolean
  readonly sheet: postcss.Root
  readonly problem: { readonly reason: string; readonly line: number } | null
}

const parse = (css: string): Pick<LintSheet, 'sheet' | 'problem'> => {
  try {
    return { sheet: postcss.parse(css), problem: null }
  } catch (thrown) {
    const { reason, line = 1 } = thrown as postcss.CssSyntaxError
    return { sheet: postcss.root(), problem: { reason, line } }
  }
}

/** Reads the style sheets of an HTML file, including local imports. */
export const readSheets = async (
  { has, file, elements, readText }: PartReader,
  isNested: boolean,
): Promise<LintSheet[]> => {
  const sheets: LintSheet[] = []
  const seen = new Set<string>()
  const add = async (css: string, from: string, line: number, span: SourceSpan | null): Promise<void> => {
    const parsed = parse(css)
    sheets.push({ ...parsed, file: from, line, span, isNested })
    for (const node of parsed.sheet.nodes) {
      if (node.type !== 'atrule' || node.name.toLowerCase() !== 'import') continue
      await follow(from, IMPORT.exec(node.params.trim())?.[2] ?? '')
    }
  }
  const follow = async (from: string, url: string): Promise<void> => {
    const path = fileOfUrl(has, from, url)
    if (path === null || seen.has(path)) return
    seen.add(path)
    const css = await readText(path)
    if (css !== null) await add(css, path, 1, null)
  }
  for (const element of elements) {
    if (element.tagName === 'style') {
      const { text, line, span } = textOf(element)
      await add(text, file, line, span)
    } else if (element.tagName === 'link' && /\bstylesheet\b/i.test(attributeOf(element, 'rel') ?? ''))
      await follow(file, attributeOf(element, 'href') ?? '')
  }
  return sheets
}
