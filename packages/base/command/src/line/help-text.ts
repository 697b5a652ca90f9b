import { groupOptions } from './option-groups.ts'

/** A command as clipanion describes it. */
export interface CommandHelp {
  readonly usage: string
  readonly description?: string
  readonly details?: string
  readonly examples?: readonly (readonly string[])[]
  readonly options: readonly { readonly definition: string; readonly description?: string }[]
}

/** Columns of text without a terminal. */
const PLAIN_COLUMNS = 100
/** Columns beyond which lines are hard to read. */
const MAX_COLUMNS = 120
/** Columns of a text beside its flag; below, it has lines of its own. */
const MIN_BESIDE = 40

/** A text in lines of whole words; a longer word has a line of its own. */
export const wrapWords = (text: string, columns: number): string[] =>
  text
    .trim()
    .split(/\s+/)
    .reduce<string[]>((lines, word) => {
      const last = lines.at(-1)
      if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
      else lines.push(word)
      return lines
    }, [])

const flagLines = (
  { label, about }: { readonly label: string; readonly about: string },
  width: number,
  columns: number,
): string[] => {
  const beside = columns - width - 4
  if (beside < MIN_BESIDE) return [`  ${label}`, ...wrapWords(about, columns - 6).map((line) => `      ${line}`)]
  return wrapWords(about, beside).map((line, index) => `  ${(index === 0 ? label : '').padEnd(width)}  ${line}`)
}

/** The help of a command in lines of at most `columns`, its flags by what they are about. */
export const helpText = (
  { usage, description = '', details = '', examples = [], options }: CommandHelp,
  terminalColumns?: number,
): string => {
  const columns = Math.min(terminalColumns ?? PLAIN_COLUMNS, MAX_COLUMNS)
  const flags = options.map(({ definition, description: about = '' }) => {
    const [names = '', value] = definition.split(' ')
    const label = `${names.startsWith('--') ? '    ' : ''}${names.replace(',', ', ')}${value ? ' <v>' : ''}`
    return { name: names.replace(/^.*--/, ''), label, about }
  })
  const width = Math.max(0, ...flags.map(({ label }) => label.length))
  const paragraphs = details.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '')
  const shown = groupOptions(flags).filter((group) => group.flags.length > 0)
  return [
    ...wrapWords(description, columns),
    '',
    `usage: ${usage}${flags.length > 0 ? ' [flags]' : ''}`,
    ...paragraphs.flatMap((paragraph) => ['', ...wrapWords(paragraph, columns)]),
    ...shown.flatMap((group) => [
      '',
      `${group.title}:`,
      ...group.flags.flatMap((flag) => flagLines(flag, width, columns)),
    ]),
    ...(examples.length > 0 ? ['', 'examples:'] : []),
    ...examples.flatMap(([about = '', command = '']) => [`  ${about.trim()}`, `    ${command.trim()}`]),
    '',
  ].join('\n')
}
