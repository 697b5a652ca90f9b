import { findProject, readEntryText } from '../source/load.ts'
import { readProject } from './project/project.ts'

/** A place of a project that uses a variable. */
export interface VariableUse {
  readonly id: string
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** What uses it: an attribute, `style` or `script`. */
  readonly how: string
}

const escaped = (id: string) => id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Lines of a text, counted from `first`, that match. */
const linesWith = (text: string, first: number, pattern: RegExp): number[] =>
  text.split('\n').flatMap((line, index) => (pattern.test(line) ? [first + index] : []))

/** Attributes that name a variable, and those whose JSON may. */
const NAMING = ['data-var-text', 'data-var-src']
const HOLDING = ['data-color-grading', 'style']

/** Where the files of a composition use these variables, in the order of the files. */
export const readVariableUses = async (
  projectDir: string,
  entry: string,
  ids: readonly string[],
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly VariableUse[]> => {
  if (ids.length === 0) return []
  const options = signal ? { signal } : {}
  const { files } = await readProject(
    await findProject(projectDir),
    await readEntryText(projectDir, entry, options),
    options,
  )
  const uses: VariableUse[] = []
  for (const id of ids) {
    const name = escaped(id)
    const inStyle = new RegExp(`var\\(\\s*--${name}(?![\\w-])`)
    const inScript = new RegExp(`(?<![\\w$-])${name}(?![\\w-])`)
    const inText = new RegExp(`\\$(?:\\{${name}\\}|${name}(?![\\w-]))|var\\(\\s*--${name}(?![\\w-])`)
    for (const { file, elements, scripts, sheets } of files) {
      const add = (place: string, line: number, how: string) => uses.push({ id, file: place, line, how })
      for (const element of elements)
        for (const attribute of element.attrs) {
          const line = element.sourceCodeLocation?.startLine ?? 1
          const isNamed = NAMING.includes(attribute.name) && attribute.value.trim() === id
          const isHeld = HOLDING.includes(attribute.name) && inText.test(attribute.value)
          if (isNamed || isHeld) add(file, line, attribute.name)
        }
      for (const { file: place, line: first, sheet } of sheets)
        sheet.walkDecls((declaration) => {
          if (inStyle.test(declaration.value)) add(place, first + (declaration.source?.start?.line ?? 1) - 1, 'style')
        })
      for (const { file: place, line: first, facts } of scripts)
        if (/\bgetVariables\b/.test(facts.text))
          for (const line of linesWith(facts.text, first, inScript)) add(place, line, 'script')
    }
  }
  return uses
}
