import type { Paint, ResultText, ResultView } from '@vid/command'
import { printable } from '@vid/protocol'
import { type Finding, findingCounts } from '@vid/render'

const STYLES = { error: 'bad', warning: 'doubtful' } as const

const plain: Paint = (_, text) => text

/** Findings of a file by what they say, the first of each in front. */
const byCause = (findings: readonly Finding[]): (readonly [Finding, ...Finding[]])[] => {
  const groups = new Map<string, [Finding, ...Finding[]]>()
  for (const finding of findings) {
    const cause = JSON.stringify([finding.code, finding.severity, finding.message, finding.hint])
    const group = groups.get(cause)
    if (group) group.push(finding)
    else groups.set(cause, [finding])
  }
  return [...groups.values()]
}

const MAX_LINES = 10

const linesText = (findings: readonly Finding[]): string => {
  const lines = [...new Set(findings.map(({ line }) => line))]
  const shown = lines.slice(0, MAX_LINES).join(', ')
  return `line${lines.length > 1 ? 's' : ''} ${shown}${lines.length > MAX_LINES ? ` and ${lines.length - MAX_LINES} more` : ''}`
}

/** Findings as readable text: by file, each with its line, place and hint; what is wrong at several places is said once. */
export const findingsText = (findings: readonly Finding[], paint: Paint = plain): string => {
  const files = [...new Set(findings.map(({ file }) => file))]
  const width = Math.max(...findings.map(({ line }) => String(line).length))
  const text = ([{ line, severity, code, message, selector, hint }, ...more]: readonly [Finding, ...Finding[]]) => [
    `  ${String(line).padStart(width)}  ${paint(STYLES[severity], severity.padEnd(7))}  ${printable(message)}  ${paint('faint', `[${code}]`)}`,
    ...(selector === null ? [] : [`${' '.repeat(width + 4)}at: ${printable(selector)}`]),
    ...(more.length === 0 ? [] : [`${' '.repeat(width + 4)}also in ${linesText(more)}`]),
    `${' '.repeat(width + 4)}${paint('faint', 'hint:')} ${printable(hint)}`,
  ]
  return files
    .map((file) => {
      const ofFile = byCause(findings.filter((finding) => finding.file === file))
      return [printable(file), ...ofFile.flatMap(text)].join('\n')
    })
    .join('\n\n')
}

/** What decides how the findings are shown. */
export interface LintView extends Pick<ResultView, 'paint'> {
  readonly options: { readonly quiet?: boolean | undefined; readonly strict?: boolean | undefined }
}

/** The findings of `vid lint`; with --quiet those alone for which it fails. */
export const lintText = (
  { findings }: { readonly findings: readonly Finding[] },
  { paint, options }: LintView,
): ResultText => {
  const { quiet, strict } = options
  const shown = quiet ? findings.filter(({ severity }) => severity === 'error' || strict) : findings
  return {
    lines: shown.length > 0 ? findingsText(shown, paint) : [],
    after: findings.length > 0 ? findingCounts(findings) : 'nothing found',
  }
}
