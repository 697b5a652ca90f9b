import { shellWord } from '@vid/command'
import type { CheckFinding } from '../events.ts'

type Mend = NonNullable<CheckFinding['mend']>

type Fields = Readonly<Record<string, unknown>>

/** A distance or a time as `vid edit` reads it. */
const timeWord = ({ by, to }: Fields): string => (typeof by === 'number' ? `${by < 0 ? '' : '+'}${by}s` : `${to}s`)

const flag = (name: string, seconds: unknown): readonly string[] =>
  seconds === undefined ? [] : [`--${name}`, `${seconds}s`]

/** The words behind the target, by operations of the rules that come with vid. */
const WORDS: Readonly<Record<string, (fields: Fields) => readonly string[]>> = {
  style: ({ property, value }) => [String(property), value === null ? '--remove' : String(value)],
  order: ({ to }) => [String(to)],
  trim: (fields) => [String(fields.edge), timeWord(fields)],
  volume: ({ volume }) => [String(volume)],
  fade: ({ in: start, out: end }) => [...flag('in', start), ...flag('out', end)],
}

/** Where `vid check` found what is mended. */
export interface CheckedPlace {
  /** As it was written. */
  readonly dir: string
  readonly composition?: string | undefined
}

/** The command line that makes operations, to be copied into a shell. */
export const mendCommand = (mend: Mend, { dir, composition }: CheckedPlace): string => {
  const place = [
    ...(dir === '.' ? [] : ['--dir', dir]),
    ...(composition === undefined ? [] : ['--composition', composition]),
  ]
  const line = (words: readonly string[]) => ['vid', 'edit', ...words, ...place].map(shellWord).join(' ')
  const lines = mend.map(({ op, target, ...fields }) => {
    const words = WORDS[op]?.(fields)
    return words && line([op, typeof target === 'string' ? target : `${target.file}:${target.line}`, ...words])
  })
  return lines.includes(undefined) ? line(['apply', '--operations', JSON.stringify(mend)]) : lines.join(' && ')
}
