import { type Element, type LintFile, type LintScript, parseScript } from '@vid/core/source-model'
import type { Sources } from '../source/sources.ts'

/** A parsed script with the place of its text in its file. */
export interface ScriptSource {
  readonly script: LintScript
  /** The HTML file that runs it. */
  readonly page: LintFile
  readonly program: object
  readonly text: string
  /** Added to an offset of its nodes, this is the offset in its file. */
  readonly offset: number
  /** Its `<script>`; null in a file of its own. */
  readonly holder: Element | null
}

const holderOf = (page: LintFile, start: number): Element | null =>
  page.elements.find(
    ({ tagName, sourceCodeLocation: place }) => tagName === 'script' && place?.startTag?.endOffset === start,
  ) ?? null

const readScripts = (sources: Sources, page: LintFile): readonly ScriptSource[] =>
  page.scripts.flatMap((script) => {
    const whole = sources.textOf(script.file)
    if (whole === undefined) return []
    const offset = script.span?.start ?? 0
    const text = script.span ? whole.slice(script.span.start, script.span.end) : whole
    try {
      const program = parseScript(text, script.kind)
      return [{ script, page, program, text, offset, holder: script.span ? holderOf(page, offset) : null }]
    } catch {
      return [] // vid lint reports it.
    }
  })

const readings = new WeakMap<LintFile, readonly ScriptSource[]>()

/** The scripts that a file runs, parsed from the text as it is written; what cannot be parsed is left out. */
export const scriptsOf = (sources: Sources, page: LintFile): readonly ScriptSource[] => {
  const scripts = readings.get(page) ?? readScripts(sources, page)
  readings.set(page, scripts)
  return scripts
}

/** The line in its file of a node of a script. */
export const lineIn = ({ script }: ScriptSource, node: { readonly loc?: { start: { line: number } } | null }): number =>
  script.line + (node.loc?.start.line ?? 1) - 1
