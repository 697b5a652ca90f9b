import { type ResultView, textParts } from '@vid/command'
import type { AnswerOptions } from '../tools/answer-options.ts'
import type { CommandReport } from '../tools/run-command.ts'
import type { Tool } from '../tools/tool.ts'
import { pageOf, type ResultPage } from './page.ts'
import type { Plain } from './plain.ts'
import { plainValue } from './plain.ts'

/** What a call answers, besides pictures. */
interface Answer {
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>>
}

/** What an answer is made of. */
export interface AnswerParts {
  readonly tool: Tool
  readonly report: CommandReport
  /** The result of the same call before; undefined for the first. */
  readonly before: Readonly<Record<string, unknown>> | undefined
  readonly options: AnswerOptions
  readonly view: Omit<ResultView, 'quiet' | 'paint' | 'isForAssistant'>
  readonly plain: Plain
}

/** A result in lines, where its command has no text of it: the facts that are no lists and objects. */
const factLines = (result: ResultPage['result']): readonly string[] =>
  Object.entries(result).flatMap(([name, value]) => (typeof value === 'object' ? [] : [`${name}: ${String(value)}`]))

/** The text of a result: what sums it up first. */
const resultLines = async ({ tool, view }: AnswerParts, result: ResultPage['result']): Promise<readonly string[]> => {
  if (!tool.command.text) return factLines(result)
  const paint = (_style: string, part: string) => part
  const text = await tool.command.text(result, { ...view, quiet: false, isForAssistant: true, paint })
  const { lines, before: first, after } = textParts(text)
  return [...after, ...first, ...lines]
}

const moreLines = (more: ResultPage['more'], { offset, limit }: AnswerOptions): readonly string[] =>
  Object.entries(more).map(
    ([name, count]) => `${count} more ${name}: call again with "offset": ${offset + limit}, and nothing else changed.`,
  )

const MAX_REMARKS = 800

const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - 60))}\n… ${text.length} characters in all.`

const answerWith = async (parts: AnswerParts, limit: number): Promise<Answer> => {
  const { tool, report, before, plain } = parts
  const { result: whole = {} } = report
  const options = { ...parts.options, limit }
  const { result, more } = pageOf(whole, tool.facts.lists ?? [], options)
  const changes = before === undefined ? [] : textParts(await tool.facts.changes?.(before, whole)).lines
  const lines = await resultLines(parts, result)
  const remarks = shortened(report.remarks.trim(), MAX_REMARKS)
  const text = [...lines.slice(0, 1), ...changes, ...lines.slice(1), ...moreLines(more, options), remarks]
  return {
    text: plain(text.filter((line, index) => line !== '' || index < text.length - 1).join('\n')),
    structured: plainValue({ ...result, more }, plain) as Answer['structured'],
  }
}

/** An answer of at most its budget: with fewer items of each list where they do not fit, at last with a cut text. */
export const makeAnswer = async (parts: AnswerParts): Promise<Answer> => {
  const { budget } = parts.options
  const room = (answer: Answer) => budget - JSON.stringify(answer.structured).length
  for (let limit = parts.options.limit; ; limit = Math.floor(limit / 2)) {
    const answer = await answerWith(parts, limit)
    const left = room(answer) - answer.text.length
    if (left >= 0) return answer
    if (limit === 0) return { ...answer, text: shortened(answer.text, Math.max(400, room(answer))) }
  }
}
