import { bytesText } from '@vid/command'
import { printable } from '@vid/protocol'
import type { CloudOutput, CloudRecord } from '../../contract/index.ts'

const withoutOutputAddresses = ({
  video_url: _video,
  thumbnail_url: _thumbnail,
  poster_url: _poster,
  playlist_url: _playlist,
  ...output
}: CloudOutput) => output

/** A render without its signed addresses, which would let every reader of a log fetch the video. */
export const withoutAddresses = ({
  video_url: _video,
  thumbnail_url: _thumbnail,
  poster_url: _poster,
  playlist_url: _playlist,
  outputs,
  ...render
}: CloudRecord) => ({
  ...render,
  ...(outputs !== undefined && { outputs: outputs?.map(withoutOutputAddresses) ?? null }),
})

const shownValue = (value: unknown): string => (typeof value === 'string' ? printable(value) : String(value))

const outputText = ({ shape, render_id: id, status, video_url: url, failure_message: failure }: CloudOutput): string =>
  [shape, id, status, url ?? failure ?? ''].filter(Boolean).join('  ')

/** Formats a render in full, one line for each available value, with complete signed addresses. */
export const recordText = (record: CloudRecord): string => {
  const { warnings, size_bytes: bytes, progress, outputs, ...values } = record
  const fields: readonly (readonly [string, unknown])[] = [
    ...Object.entries(values),
    ['progress', `${Math.floor(progress * 100)} %`],
    ['size', bytes === null ? null : bytesText(bytes)],
    ...(outputs ?? []).map((output) => ['output', outputText(output)] as const),
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
