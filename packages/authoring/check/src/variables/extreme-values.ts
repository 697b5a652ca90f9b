import { type Declaration, parseComposition, readEntryText } from '@vid/core'
import type { VariedRun } from './varied-run.ts'

/** Characters of the longest value of a text without a limit, and how much longer than its default it is. */
const LONGEST = 60
const LONGER = 2.5

const WORDS = 'Extraordinarily comprehensive Wissenschaftsjournalismus maintenance announcement'

/** A text of some characters, in words as long as words are. */
const textOf = (length: number): string =>
  WORDS.repeat(Math.ceil(length / WORDS.length))
    .slice(0, length)
    .trim()

/** The values of a variable that are furthest from its default. */
const extremesOf = (declaration: Declaration): readonly unknown[] => {
  if (declaration.type === 'enum') return declaration.options.map(({ value }) => value)
  if (declaration.type === 'boolean') return [true, false]
  if (declaration.type === 'color') return ['#000000', '#ffffff']
  if (declaration.type === 'number')
    return [declaration.min, declaration.max].filter((value): value is number => value !== undefined)
  // A path or an address has no longest value.
  if (/^(?:https?:|data:|\.{0,2}\/)|\.[a-z0-9]{2,4}$/i.test(declaration.default)) return []
  const longest = declaration.maxLength ?? Math.max(LONGEST, Math.round(declaration.default.length * LONGER))
  return ['', textOf(Math.min(1, longest)), textOf(longest)]
}

/** One set of values for each extreme of each variable, the others as they are, and one with all of the longest. */
export const extremeRuns = (declarations: readonly Declaration[]): readonly VariedRun[] => {
  const runs = declarations.flatMap((declaration) => {
    const { id, default: usual } = declaration
    return extremesOf(declaration)
      .filter((value) => value !== usual)
      .map((value) => ({ name: `${id} = ${JSON.stringify(value)}`, variables: { [id]: value } }))
  })
  const longest = Object.fromEntries(
    declarations.flatMap((declaration): [string, unknown][] => {
      const value = extremesOf(declaration).at(-1)
      const isLong = declaration.type === 'string' || declaration.type === 'number'
      return isLong && value !== undefined ? [[declaration.id, value]] : []
    }),
  )
  return Object.keys(longest).length > 1
    ? [...runs, { name: `the longest of ${Object.keys(longest).join(', ')}`, variables: longest }]
    : runs
}

/** The extremes of the variables that a composition declares. */
export const readExtremes = async (
  projectDir: string,
  entry: string,
  signal: AbortSignal,
): Promise<readonly VariedRun[]> => {
  const { file, html } = await readEntryText(projectDir, entry, { signal })
  return extremeRuns(parseComposition(html, { file }).declarations)
}
