const TIME = /^(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?$/

/** Seconds of a time such as `01:02:03.450` or `02:03,450`; undefined for anything else. */
export const parseTimestamp = (text: string): number | undefined => {
  const [, hours = '0', minutes, seconds, fraction = '0'] = TIME.exec(text) ?? []
  if (minutes === undefined || seconds === undefined) return undefined
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined
  // In whole milliseconds, so that the sum is exact.
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return (ms + Number(fraction.padEnd(3, '0').slice(0, 3))) / 1000
}

/** The time as `01:02:03.450`; `mark` stands before the milliseconds. */
export const timestampText = (seconds: number, mark: '.' | ','): string => {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const two = (value: number) => `${Math.floor(value)}`.padStart(2, '0')
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map(two).join(':')
  return `${clock}${mark}${`${ms % 1000}`.padStart(3, '0')}`
}

/** The start, end and settings of a line such as `00:01.000 --> 00:02.000 align:start`; or why it is broken. */
export const readTimes = (
  line: string,
): { readonly start: number; readonly end: number; readonly settings?: string } | { readonly reason: string } => {
  const arrow = line.indexOf('-->')
  const from = line.slice(0, Math.max(0, arrow)).trim()
  const [to = '', ...rest] = line
    .slice(arrow + 3)
    .trim()
    .split(/\s+/)
  if (from === '' || to === '') return { reason: 'the line with "-->" does not have two times' }
  // Some programs write `00:00:01 ,500`.
  const start = parseTimestamp(from.replace(/\s(?=[.,])/g, ''))
  const end = parseTimestamp(to)
  if (start === undefined) return { reason: `"${from}" is not a time such as 00:01:02.500` }
  if (end === undefined) return { reason: `"${to}" is not a time such as 00:01:02.500` }
  if (end < start) return { reason: `the end ${to} is before the start ${from}` }
  return { start, end, ...(rest.length > 0 && { settings: rest.join(' ') }) }
}
