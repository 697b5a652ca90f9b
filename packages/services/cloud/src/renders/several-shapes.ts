import type { CloudStatus } from '@vid/client/contract'
import type { Warning } from '@vid/protocol'

/** The columns of a render that say how far it is. */
interface RenderState {
  readonly status: CloudStatus
  readonly started_at: Date | null
  readonly duration: number | null
  readonly progress: number
  readonly frames_rendered: number
  readonly total_frames: number
  readonly warnings: readonly Warning[]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const earliest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null)

const distinct = (warnings: readonly Warning[]): Warning[] => [
  ...new Map(warnings.map((warning) => [`${warning.code}\n${warning.message}`, warning])).values(),
]

/** The row of a render of several shapes, with what its videos have done so far. */
export const totalOf = <R extends RenderState>(row: R, videos: readonly R[]): R => {
  const hasBegun = videos.some(({ status }) => status !== 'queued')
  const durations = videos.flatMap(({ duration }) => (duration === null ? [] : [duration]))
  return {
    ...row,
    status: row.status === 'queued' && hasBegun ? 'rendering' : row.status,
    started_at: earliest(videos.map((video) => video.started_at)),
    duration: durations.length === 0 ? null : Math.max(...durations),
    progress: sum(videos.map(({ status, progress }) => (status === 'completed' ? 1 : progress))) / videos.length,
    frames_rendered: sum(videos.map((video) => video.frames_rendered)),
    total_frames: sum(videos.map((video) => video.total_frames)),
    warnings: distinct(videos.flatMap((video) => video.warnings)),
  }
}
