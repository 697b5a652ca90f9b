import { printable } from '@vid/kernel'
import { countFindings, type Finding } from '@vid/render'
import type { Paint } from '../../paint.ts'

const STYLES = { error: 'bad', warning: 'doubtful' } as const

const plain: Paint = (_, text) => text

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** Such as `1 error, 2 warnings`. */
export const findingCounts = (findings: readonly Finding[]): string => {
  const { errors, warnings } = countFindings(findings)
  return [errors > 0 && plural(errors, 'error'), warnings > 0 && plural(warnings, 'warning')].filter(Boolean).join(', ')
}

/** Findings as readable text: by file, each with its line, place and hint. */
export const findingsText = (findings: readonly Finding[], paint: Paint = plain): string => {
  const files = [...new Set(findings.map(({ file }) => file))]
  const width = Math.max(...findings.map(({ line }) => String(line).length))
  const text = ({ line, severity, code, message, selector, hint }: Finding) => [
    `  ${String(line).padStart(width)}  ${paint(STYLES[severity], severity.padEnd(7))}  ${printable(message)}  ${paint('faint', `[${code}]`)}`,
    ...(selector === null ? [] : [`${' '.repeat(width + 4)}at: ${printable(selector)}`]),
    `${' '.repeat(width + 4)}${paint('faint', 'hint:')} ${printable(hint)}`,
  ]
  return files
    .map((file) => [printable(file), ...findings.filter((each) => each.file === file).flatMap(text)].join('\n'))
    .join('\n\n')
}
