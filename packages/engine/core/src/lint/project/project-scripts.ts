import { type SourceSpan, textOf } from '../../nesting/nested-file.ts'
import { isLibrary, scriptKind } from '../../nesting/nested-scripts.ts'
import type { ProjectFiles } from '../../source/project-references.ts'
import { attributeOf, type Element } from '../../source/tree.ts'
import { fileOfUrl } from './reference.ts'
import { readScript, type ScriptFacts } from './script-facts.ts'

/** A script of a composition, inline or in a separate file. */
export interface LintScript {
  readonly file: string
  /** 1-based line of its first character in that file. */
  readonly line: number
  /** Offsets of its text in that file; null for a whole file. */
  readonly span: SourceSpan | null
  readonly kind: 'classic' | 'module'
  readonly facts: ScriptFacts
}

/** An HTML file whose scripts and style sheets are read. */
export interface PartReader extends ProjectFiles {
  readonly file: string
  readonly elements: readonly Element[]
}

/** Files in languages that no browser runs: they are built into JavaScript first. */
export const isOtherLanguage = (path: string): boolean => /\.(?:[cm]?tsx?|jsx)(?:[?#]|$)/i.test(path.trim())

/** Code of another file may run, which is not read. */
const IMPORTS = /\bimport\b|\beval\b|\bWorker\b/

/** Longer scripts are taken for libraries. */
const MAX_CHARACTERS = 1_000_000

/** Libraries that add no element to a page unless a script makes them. */
const HARMLESS = /(^|[/@])gsap\b|\/gsap(\.min)?\.js/i

/** Reads the scripts of an HTML file, without libraries; `isWhole` states whether all that can add elements were read. */
export const readScripts = async ({
  has,
  file,
  elements,
  readText,
}: PartReader): Promise<{ readonly scripts: readonly LintScript[]; readonly isWhole: boolean }> => {
  let isWhole = true
  const scripts: LintScript[] = []
  for (const element of elements) {
    const kind = element.tagName === 'script' ? scriptKind(element) : 'data'
    if (kind === 'data') continue
    const src = attributeOf(element, 'src')
    if (src === null) {
      const { text, line, span } = textOf(element)
      scripts.push({ file, line, span, kind, facts: readScript(text, kind) })
      continue
    }
    const path = fileOfUrl(has, file, src)
    const text = path === null || isLibrary(path) || isOtherLanguage(path) ? null : await readText(path)
    if (path !== null && text !== null && text.length <= MAX_CHARACTERS)
      scripts.push({ file: path, line: 1, span: null, kind, facts: readScript(text, kind) })
    else if (!HARMLESS.test(src)) isWhole = false
  }
  return { scripts, isWhole: isWhole && !scripts.some(({ facts }) => IMPORTS.test(facts.text)) }
}
