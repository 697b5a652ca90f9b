import { printable } from '@vid/protocol'

/** Columns of the chart: a name, the time axis, a range of time, and where it stands in the source. */
const NAME = 18
const AXIS = 32
const TIME = 13
const PLACE = 14

/** A row of the chart. */
export interface ChartRow {
  readonly name: string
  /** Seconds. */
  readonly start: number
  readonly end: number
  readonly place?: string
  readonly mark?: string
}

/** Seconds with at most two decimals. */
export const shortSeconds = (seconds: number): string => String(Math.round(seconds * 100) / 100)

const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, Math.max(0, length - 1))}…` : text.padEnd(length)

/** The end of a place says more than its beginning: the line. */
const cutStart = (text: string, length: number) => (text.length > length ? `…${text.slice(1 - length)}` : text)

/** Distances of ticks in seconds; the first with few enough ticks is taken. */
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]

/** Columns that the label of a tick needs. */
const TICK = 7

/** Rows with a time axis above them, at most 80 columns wide. */
export const createChart = (duration: number) => {
  const columnOf = (seconds: number) => Math.min(AXIS, Math.max(0, (seconds / duration) * AXIS))
  const bar = (start: number, end: number, mark: string) => {
    const from = Math.min(AXIS - 1, Math.floor(columnOf(start)))
    const to = Math.max(from + 1, Math.ceil(columnOf(end) - 1e-9))
    return `${'·'.repeat(from)}${mark.repeat(to - from)}${'·'.repeat(AXIS - to)}`
  }
  return {
    axis(): string {
      const step = STEPS.find((seconds) => (duration / seconds) * TICK <= AXIS) ?? duration
      let line = ''
      for (let tick = 0; tick < duration; tick += step) {
        const column = Math.floor(columnOf(tick))
        const label = `${shortSeconds(tick)}s`
        if (column >= line.length && column + label.length <= AXIS) line = line.padEnd(column) + label
      }
      return `${' '.repeat(NAME + 1)}${line}`.trimEnd()
    },
    row({ name, start, end, place = '', mark = '█' }: ChartRow): string {
      const times = `${shortSeconds(start)}–${shortSeconds(end)}`
      const parts = [
        cut(printable(name), NAME),
        bar(start, end, mark),
        cut(times, TIME),
        cutStart(printable(place), PLACE),
      ]
      return parts.join(' ').trimEnd()
    },
  }
}
