import type { Finding } from '@vid/core/lint'
import { printable } from '@vid/protocol'

/** How many findings there are of each severity. */
export const countFindings = (findings: readonly Finding[]) => ({
  errors: findings.filter(({ severity }) => severity === 'error').length,
  warnings: findings.filter(({ severity }) => severity === 'warning').length,
})

/** One line about a finding. */
export const findingLine = ({ code, file, line, message }: Finding): string =>
  printable(`${code} (${file}:${line}) ${message}`)

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** Such as `1 error, 2 warnings`. */
export const findingCounts = (findings: readonly Finding[]): string => {
  const { errors, warnings } = countFindings(findings)
  return [errors > 0 && plural(errors, 'error'), warnings > 0 && plural(warnings, 'warning')].filter(Boolean).join(', ')
}
