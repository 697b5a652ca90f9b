import type { Finding } from '@vid/core/lint'
import { printable } from '@vid/kernel'

/** How many findings there are of each severity. */
export const countFindings = (findings: readonly Finding[]) => ({
  errors: findings.filter(({ severity }) => severity === 'error').length,
  warnings: findings.filter(({ severity }) => severity === 'warning').length,
})

/** One line about a finding. */
export const findingLine = ({ code, file, line, message }: Finding): string =>
  printable(`${code} (${file}:${line}) ${message}`)
