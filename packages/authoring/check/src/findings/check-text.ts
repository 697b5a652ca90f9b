import type { Paint, ResultText } from '@vid/command'
import { printable } from '@vid/protocol'
import type { CheckFinding, CheckResult } from '../events.ts'
import { groupBy } from '../group-by.ts'

const STYLES = { error: 'bad', warning: 'doubtful', note: 'faint' } as const

const seconds = (value: number) => String(Math.round(value * 100) / 100)

const timeOf = ({ from, to }: CheckFinding) => `${seconds(from)} to ${seconds(to)} s`

const placeOf = ({ where: { element, file, line } }: CheckFinding): string =>
  [element, file === null ? null : line === null ? file : `${file}:${line}`].filter((part) => part !== null).join(', ')

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** How many findings there are. */
export const countsText = ({ errors, warnings, notes, ignored, baselined }: CheckResult): string => {
  const counts = [
    errors > 0 && plural(errors, 'error'),
    warnings > 0 && plural(warnings, 'warning'),
    notes > 0 && plural(notes, 'note'),
  ].filter(Boolean)
  const silent = [ignored > 0 && `${ignored} ignored`, baselined > 0 && `${baselined} in the baseline`].filter(Boolean)
  const all = counts.length > 0 ? counts.join(', ') : 'nothing found'
  return silent.length > 0 ? `${all} (${silent.join(', ')})` : all
}

/** How findings are written. */
export interface FindingsView {
  readonly paint: Paint
  /** What makes the operations of a finding. */
  mendText(mend: NonNullable<CheckFinding['mend']>): string
}

/** A finding in lines. */
export const findingLines = (finding: CheckFinding, { paint, mendText }: FindingsView): string[] => {
  const { rule, level, message, hint, certainty, variables, mend } = finding
  const place = placeOf(finding)
  const doubt = certainty === 'certain' ? '' : ` ${certainty},`
  return [
    `  ${paint(STYLES[level], level.padEnd(7))}  ${printable(message)} ${paint('faint', `[${rule}]`)}`,
    ...(place === '' && doubt === ''
      ? []
      : [`           at: ${printable(place || 'the whole video')}${doubt && `,${doubt.slice(0, -1)}`}`]),
    ...(variables === null ? [] : [`           with: ${printable(variables)}`]),
    `           ${paint('faint', 'hint:')} ${printable(hint)}`,
    ...(mend === undefined ? [] : [`           ${paint('faint', 'mend:')} ${printable(mendText(mend))}`]),
  ]
}

/** Findings by the time at which they are seen. */
export const checkResultText = (
  check: CheckResult,
  { quiet, ...view }: FindingsView & { readonly quiet: boolean },
): ResultText => {
  const shown = quiet ? check.findings.filter(({ level }) => level === 'error') : check.findings
  const groups = groupBy(shown, timeOf)
  const lines = [...groups].flatMap(([time, findings], index) => [
    ...(index === 0 ? [] : ['']),
    time,
    ...findings.flatMap((finding) => findingLines(finding, view)),
  ])
  return { lines, after: countsText(check) }
}
