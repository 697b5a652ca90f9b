import { failRender } from '@vid/protocol'
import type { Frame, FrameFormat } from '../contracts/roles.ts'

/** Bytes of a frame of raw pixels; undefined for images, whose size depends on their contents. */
export const frameBytes = (format: FrameFormat, width: number, height: number): number | undefined => {
  if (format === 'rgba') return width * height * 4
  const planar = width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2)
  if (format === 'yuv420p') return planar
  if (format === 'yuva420p') return planar + width * height
  if (format === 'yuv420p10') return planar * 2
  return undefined
}

/** Requirements for a stream of frames. */
export interface FramesWanted {
  /** The producer of the frames, for the error. */
  readonly plugin: string
  readonly start: number
  readonly frames: number
  readonly accepts: readonly FrameFormat[]
  readonly width: number
  readonly height: number
}

const PNG = [0x89, 0x50, 0x4e, 0x47]

/** The size of a PNG image, as text; undefined for other data. */
const pngSize = ({ format, data }: Frame): string | undefined => {
  if (format !== 'png' || data.length < 24 || PNG.some((byte, index) => data[index] !== byte)) return undefined
  const view = new DataView(data.buffer, data.byteOffset)
  return `${view.getUint32(16)} x ${view.getUint32(20)}`
}

/** Passes frames on while they match the request: in order, complete, and of the right layout and size. */
export async function* checkFrames(
  frames: AsyncIterable<Frame>,
  { plugin, start, frames: count, accepts, width, height }: FramesWanted,
): AsyncGenerator<Frame> {
  const wrong = (problem: string) => failRender('VID_FRAMES_WRONG', { plugin, problem }, { plugin, hook: 'capture' })
  let next = start
  for await (const frame of frames) {
    if (!ArrayBuffer.isView(frame?.data)) throw wrong(`something that is no frame where ${next} was due`)
    if (next === start + count) throw wrong(`more than the ${count} frames asked for`)
    if (frame.index !== next) throw wrong(`frame ${frame.index} came where ${next} was due`)
    if (!accepts.includes(frame.format)) throw wrong(`format ${frame.format}, but only ${accepts.join(', ')} fit`)
    const bytes = frameBytes(frame.format, width, height)
    if (bytes !== undefined && frame.data.length !== bytes)
      throw wrong(`${frame.data.length} bytes for a ${frame.format} frame of ${bytes}`)
    const size = frame.repeat ? undefined : pngSize(frame)
    if (size !== undefined && size !== `${width} x ${height}`)
      throw wrong(`an image of ${size} pixels for a frame of ${width} x ${height}`)
    next += 1
    yield frame
  }
  if (next < start + count) throw wrong(`${next - start} of ${count} frames`)
}
