import type { Paint, ResultText, ResultView } from '@vid/command'
import { printable } from '@vid/kernel'
import { type Finding, findingCounts } from '@vid/render'

const STYLES = { error: 'bad', warning: 'doubtful' } as const

const plain: Paint = (_, text) => text

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
    .map((file) => [printable(file), ...findings.filter((finding) => finding.file === file).flatMap(text)].join('\n'))
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
