import { bytesText } from '@vid/command'
import { type CloudRecord, printable } from '@vid/kernel'

/** A render without its signed addresses, which would let every reader of a log fetch the video. */
export const withoutAddresses = ({
  video_url: _video,
  thumbnail_url: _thumbnail,
  poster_url: _poster,
  playlist_url: _playlist,
  ...render
}: CloudRecord) => render

const shownValue = (value: unknown): string => (typeof value === 'string' ? printable(value) : String(value))

/** Formats a render in full, one line for each available value, with complete signed addresses. */
export const recordText = (record: CloudRecord): string => {
  const { warnings, size_bytes: bytes, progress, ...values } = record
  const fields: readonly (readonly [string, unknown])[] = [
    ...Object.entries(values),
    ['progress', `${Math.floor(progress * 100)} %`],
    ['size', bytes === null ? null : bytesText(bytes)],
    ...warnings.map(({ code, message }) => ['warning', `${code}: ${message}`] as const),
  ]
  return fields
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(16)} ${shownValue(value)}`)
    .join('\n')
}

/** Formats a render as one line of a list. */
export const recordLine = (record: CloudRecord): string => {
  const { render_id, status, created_at, format, resolution, duration, title, failure_message } = record
  const length = duration === null ? '' : `${duration} s`
  const words = [render_id, status.padEnd(9), created_at, format.padEnd(4), resolution.padEnd(5), length]
  return printable([...words, title ?? '', failure_message ?? ''].filter(Boolean).join('  '))
}
