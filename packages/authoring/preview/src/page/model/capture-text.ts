import type { CheckReply } from '../../api.ts'

/** The names of lanes as docs have them. */
const LANES: Readonly<Record<string, string>> = {
  raster: 'the fast lane',
  'begin-frame': 'the slower lane begin-frame',
  screenshot: 'the slowest lane, screenshots',
}

const listOf = (frames: readonly number[]) => (frames.length === 1 ? 'Frame ' : 'Frames ') + frames.join(', ')

/** Which frames were captured, and in which lanes. */
export const captureText = (frames: CheckReply['frames']): string => {
  const lanes = [...new Set(frames.map(({ lane }) => lane))]
  const parts = lanes.map((lane) => {
    const inLane = frames.filter((capture) => capture.lane === lane).map(({ frame }) => frame)
    return `${listOf(inLane)}: captured${lane === null ? '' : ` in ${LANES[lane] ?? lane}`}.`
  })
  return parts.join(' ') || 'Nothing could be captured.'
}
