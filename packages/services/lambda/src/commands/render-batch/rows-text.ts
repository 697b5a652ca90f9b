import type { LineOutcome } from './start-lines.ts'

const rowText = ({ inputLine, status, outputKey, executionArn, error }: LineOutcome): string => {
  const words = [`line ${inputLine}`, status, outputKey, executionArn ?? '']
  return [...words, error ? `${error.code}: ${error.message}` : ''].filter(Boolean).join('  ')
}

const summaryOf = (rows: readonly LineOutcome[]): string => {
  const count = (status: LineOutcome['status']) => rows.filter((row) => row.status === status).length
  const would = count('would-invoke')
  return would > 0
    ? `${would} would-invoke`
    : `${count('started')} started, ${count('failed-to-start')} failed-to-start`
}

/** Formats the outcome of each line, and a summary. */
export const outcomesText = (rows: readonly LineOutcome[]): readonly string[] => [...rows.map(rowText), summaryOf(rows)]
