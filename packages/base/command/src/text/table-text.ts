import { printable } from '@vid/protocol'

/** A time as text, to the minute. */
export const timeText = (time: string | null): string => (time === null ? '' : time.slice(0, 16).replace('T', ' '))

/** Rows as columns below their names. */
export const tableText = (names: readonly string[], rows: readonly (readonly string[])[]): string => {
  const lines = [names, ...rows].map((row) => row.map((cell) => printable(cell) || '-'))
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
