import type { Finding } from '@vid/core/lint'

/** How many findings there are of each severity. */
export const countFindings = (findings: readonly Finding[]) => ({
  errors: findings.filter(({ severity }) => severity === 'error').length,
  warnings: findings.filter(({ severity }) => severity === 'warning').length,
})

/** Text from a composition may hold control characters, which a terminal must not interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
export const printable = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

/** One line about a finding. */
export const findingLine = ({ code, file, line, message }: Finding): string =>
  printable(`${code} (${file}:${line}) ${message}`)
