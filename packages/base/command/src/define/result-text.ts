import type { Lines, ResultText } from './command.ts'

/** The text of a result in lines, each part of it. */
export interface TextParts {
  readonly lines: readonly string[]
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const linesOf = (lines: Lines | undefined): readonly string[] =>
  lines === undefined ? [] : typeof lines === 'string' ? [lines] : lines

const isText = (text: Lines | ResultText): text is ResultText => typeof text === 'object' && 'lines' in text

/** The parts of what the `text` of a command returns. */
export const textParts = (text: Lines | ResultText | undefined): TextParts => {
  const { lines, before, after } = text !== undefined && isText(text) ? text : { lines: text }
  return { lines: linesOf(lines), before: linesOf(before), after: linesOf(after) }
}
