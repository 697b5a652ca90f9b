import { frameAt, type MomentBase } from '@vid/kernel'
import { isTimes } from '@vid/protocol'
import { fail } from '../errors.ts'

/** A frame to keep, and the name of its file without extension. */
export interface Still {
  readonly frame: number
  readonly name: string
}

const stillAt = (text: string, length: MomentBase): number => {
  const frame = frameAt(text, length)
  if (frame === undefined) throw fail('VID_SNAPSHOT_TIME', { value: text, duration: length.duration })
  return frame
}

/** The frames that show the times of `--at`, named by them; a time at the very end is the last frame. */
export const stillsAt = (times: string, length: MomentBase): Still[] => {
  if (!isTimes(times)) throw fail('VID_SNAPSHOT_TIMES', { value: times })
  const texts = times.split(',').map((text) => text.trim().replace(/^([\d.]+)$/, '$1s'))
  return [...new Set(texts)].map((text) => ({
    frame: stillAt(text, length),
    name: `snapshot_${text.replace('%', 'pct').replaceAll(':', '-')}`,
  }))
}

/** The middle frames of `count` equal parts, named by their order. */
export const spreadStills = (count: number, { frames }: Pick<MomentBase, 'frames'>): Still[] => {
  if (count > frames) throw fail('VID_SNAPSHOT_FRAMES', { wanted: count, frames })
  return Array.from({ length: count }, (_, index) => ({
    frame: Math.floor(((index + 0.5) * frames) / count),
    name: `snapshot_${String(index + 1).padStart(String(count).length, '0')}`,
  }))
}
