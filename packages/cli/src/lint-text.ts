import { countFindings, type Finding } from './lint-project.ts'

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** What comes from a composition may hold anything; a terminal must not obey it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const plain = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

/** Such as `1 error, 2 warnings`. */
export const findingCounts = (findings: readonly Finding[]): string => {
  const { errors, warnings } = countFindings(findings)
  return [errors > 0 && plural(errors, 'error'), warnings > 0 && plural(warnings, 'warning')]
    .filter(Boolean)
    .join(', ')
}

/** One line about a finding. */
export const findingLine = ({ code, file, line, message }: Finding): string =>
  plain(`${code} (${file}:${line}) ${message}`)

/** Findings as a person reads them: by file, each with its line, place and hint. */
export const findingsText = (findings: readonly Finding[]): string => {
  const files = [...new Set(findings.map(({ file }) => file))]
  const width = Math.max(...findings.map(({ line }) => String(line).length))
  const text = ({ line, severity, code, message, selector, hint }: Finding) => [
    `  ${String(line).padStart(width)}  ${severity.padEnd(7)}  ${plain(message)}  [${code}]`,
    ...(selector === null ? [] : [`${' '.repeat(width + 4)}at: ${plain(selector)}`]),
    `${' '.repeat(width + 4)}hint: ${plain(hint)}`,
  ]
  return files
    .map((file) => [plain(file), ...findings.filter((each) => each.file === file).flatMap(text)].join('\n'))
    .join('\n\n')
}
