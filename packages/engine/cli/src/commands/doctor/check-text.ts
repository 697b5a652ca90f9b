import type { Paint } from '@vid/command'
import { printable } from '@vid/protocol'
import type { Check, Mended } from './check.ts'

const WIDTH = 20
const INDENT = ' '.repeat(WIDTH + 6)

/** Formats a check: one line, and further lines if something is to be done. */
export const checkText = (
  { name, ok, required, detail, hint, missing, command }: Check,
  mended: Mended | undefined,
  paint: Paint,
): string => {
  const word = ok ? paint('good', 'ok  ') : required ? paint('bad', 'FAIL') : paint('doubtful', 'warn')
  const more = [
    ...(mended ? [`fixed: ${mended.done}`] : []),
    ...(missing === '' ? [] : [`without it: ${missing}`]),
    ...(hint === '' ? [] : [hint]),
    ...(command === '' ? [] : [`run: ${command}`]),
  ]
  const lines = more.map((line) => `${INDENT}${printable(line)}`)
  return [`${word}  ${name.padEnd(WIDTH - 1)} ${printable(detail)}`, ...lines].join('\n')
}

/** The summary of all checks. */
export const endText = (checks: readonly Check[]): string => {
  const failed = checks.filter(({ ok, required }) => !ok && required)
  const lesser = checks.filter(({ ok, required }) => !ok && !required).length
  const rest = lesser === 0 ? '' : `; ${lesser} optional checks failed`
  if (failed.length === 0) return `all required checks passed${rest}`
  return `renders will fail: ${failed.map(({ name }) => name).join(', ')}${rest}`
}
