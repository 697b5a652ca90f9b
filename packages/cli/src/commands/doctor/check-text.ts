import type { Paint } from '@vid/command'
import { printable } from '@vid/kernel'
import type { Check, Mended } from './check.ts'

const WIDTH = 20
const INDENT = ' '.repeat(WIDTH + 6)

/** A check as readable text: a line, and where something is to be done, what. */
export const checkText = (
  { name, ok, required, detail, hint, missing, command }: Check,
  mended: Mended | undefined,
  paint: Paint,
): string => {
  const word = ok ? paint('good', 'ok  ') : required ? paint('bad', 'FAIL') : paint('doubtful', 'warn')
  const more = [
    ...(mended ? [`mended: ${mended.done}`] : []),
    ...(missing === '' ? [] : [`without it: ${missing}`]),
    ...(hint === '' ? [] : [hint]),
    ...(command === '' ? [] : [`run: ${command}`]),
  ]
  const lines = more.map((line) => `${INDENT}${printable(line)}`)
  return [`${word}  ${name.padEnd(WIDTH - 1)} ${printable(detail)}`, ...lines].join('\n')
}

/** How all checks together have ended. */
export const endText = (checks: readonly Check[]): string => {
  const failed = checks.filter(({ ok, required }) => !ok && required)
  const lesser = checks.filter(({ ok, required }) => !ok && !required).length
  const rest = lesser === 0 ? '' : `; ${lesser} more could be better`
  if (failed.length === 0) return `everything that renders need works${rest}`
  return `renders fail here: ${failed.map(({ name }) => name).join(', ')}${rest}`
}
