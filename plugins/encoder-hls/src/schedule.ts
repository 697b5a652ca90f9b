import { type RenderPlan, secondsOf } from '@vid/kernel'
import { type Piece, piecesOf } from './pieces.ts'
import type { HlsSettings } from './settings.ts'
import type { Track } from './track.ts'
import type { Cut } from './writer.ts'

/** All media segments of a video, known before the first is encoded. */
export interface Schedule {
  /** For each segment of the plan, its media segments. */
  readonly pieces: readonly (readonly Piece[])[]
  /** For each media segment, its packets of sound; empty without sound. */
  readonly packets: readonly Cut[]
  /** The largest rounded length of a media segment, in seconds. */
  readonly targetSeconds: number
}

/** The packet that is nearest to a time. */
const packetAt = (seconds: number, { timescale, delay, samples }: Track): number =>
  Math.min(samples.length, Math.round((seconds * timescale + delay) / (samples[0]?.duration ?? 1)))

const packetsOf = (all: readonly Piece[], { fps, frames }: RenderPlan, sound: Track): Cut[] => {
  let start = 0
  let time = 0
  return all.map((piece) => {
    const isLast = piece.start + piece.frames >= frames
    const end = isLast ? sound.samples.length : packetAt(secondsOf(piece.start + piece.frames, fps), sound)
    const ticks = sound.samples.slice(start, end).reduce((sum, { duration }) => sum + duration, 0)
    const heard = start === 0 ? ticks - sound.delay : ticks
    const packets = { start, end, time, seconds: heard / sound.timescale }
    start = end
    time += ticks
    return packets
  })
}

/** Plans the media segments of pictures and of sound; both begin at the same times, as far as packets allow. */
export const scheduleOf = (plan: RenderPlan, settings: HlsSettings, sound: Track | undefined): Schedule => {
  const pieces = plan.segments.map((segment) => piecesOf(segment, plan, settings))
  const all = pieces.flat()
  const packets = sound ? packetsOf(all, plan, sound) : []
  const lengths = [...all.map(({ frames }) => secondsOf(frames, plan.fps)), ...packets.map(({ seconds }) => seconds)]
  return { pieces, packets, targetSeconds: Math.max(1, ...lengths.map(Math.round)) }
}
