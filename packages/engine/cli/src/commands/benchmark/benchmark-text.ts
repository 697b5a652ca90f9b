import type { ResultText } from '@vid/command'
import { adviceOn, type Measured } from './advice.ts'

const rowsOf = (measured: readonly Measured[]) => [
  ['quality', 'workers', 'time', 'frames/s', 'x realtime', 'capture/frame', 'encode/frame', 'size'],
  ...measured.map(({ quality, workers, wallMs, fps, realtime, captureMs, encodeMs, bytes }) => [
    quality,
    `${workers}`,
    `${(wallMs / 1000).toFixed(2)} s`,
    fps.toFixed(1),
    realtime.toFixed(2),
    `${captureMs.toFixed(1)} ms`,
    `${encodeMs.toFixed(1)} ms`,
    `${(bytes / 1e6).toFixed(2)} MB`,
  ]),
]

const tableText = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** What was measured, as a table, and what to do about it. */
export const benchmarkText = ({ rows }: { readonly rows: readonly Measured[] }): ResultText => ({
  lines: tableText(rowsOf(rows)),
  after: adviceOn(rows),
})
