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

/** What is known of the packets of a sound before all are encoded. */
export interface SoundLength {
  readonly track: Pick<Track, 'timescale' | 'delay'>
  /** Ticks of each packet but the last, which may be shorter. */
  readonly packetTicks: number
  /** Ticks of all packets. */
  readonly totalTicks: number
}

/** The number of packets of a sound. */
export const packetCount = ({ packetTicks, totalTicks }: SoundLength): number => Math.ceil(totalTicks / packetTicks)

/** The packet that is nearest to a time. */
const packetAt = (seconds: number, sound: SoundLength): number => {
  const { timescale, delay } = sound.track
  return Math.min(packetCount(sound), Math.round((seconds * timescale + delay) / sound.packetTicks))
}

const packetsOf = (all: readonly Piece[], { fps, frames }: RenderPlan, sound: SoundLength): Cut[] => {
  const { packetTicks, totalTicks, track } = sound
  let start = 0
  return all.map((piece) => {
    const isLast = piece.start + piece.frames >= frames
    const end = isLast ? packetCount(sound) : packetAt(secondsOf(piece.start + piece.frames, fps), sound)
    const time = Math.min(totalTicks, start * packetTicks)
    const ticks = Math.min(totalTicks, end * packetTicks) - time
    const heard = start === 0 ? ticks - track.delay : ticks
    const packets = { start, end, time, seconds: heard / track.timescale }
    start = end
    return packets
  })
}

/** Plans the media segments of pictures and of sound; both begin at the same times, as far as packets allow. */
export const scheduleOf = (plan: RenderPlan, settings: HlsSettings, sound: SoundLength | undefined): Schedule => {
  const pieces = plan.segments.map((segment) => piecesOf(segment, plan, settings))
  const all = pieces.flat()
  const packets = sound ? packetsOf(all, plan, sound) : []
  const lengths = [...all.map(({ frames }) => secondsOf(frames, plan.fps)), ...packets.map(({ seconds }) => seconds)]
  return { pieces, packets, targetSeconds: Math.max(1, ...lengths.map(Math.round)) }
}
