import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { type Frame, type FrameFormat, frameBytes } from '@vid/kernel'
import type { FrameRate } from '@vid/protocol'
import { fail } from '../errors.ts'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { type MediaProcess, QUIET, startProcess } from '../tools/process.ts'
import { pictureHead, streamArgs, streamHead } from './matroska.ts'

/** Frames to encode into one file. */
export interface EncodeInput {
  /** Frames of a single format. */
  readonly frames: AsyncIterable<Frame>
  /** Size of a frame. */
  readonly width: number
  readonly height: number
  readonly fps: FrameRate
  /** Options of ffmpeg before the input, such as a device. */
  readonly inputArgs?: readonly string[]
  /** Output options of ffmpeg for a frame format, including the muxer (`-f`). */
  readonly outputArgs: (format: FrameFormat) => readonly string[]
  /** Whether the output options fill gaps with `steadyFilter`; repeated frames are then mostly not sent. */
  readonly fillsGaps?: boolean
  /** Absolute; written completely or not at all. */
  readonly outputPath: string
  readonly signal: AbortSignal
  /** Default: what `findFfmpeg()` finds. */
  readonly tools?: FfmpegTools
}

const IMAGE_CODECS = { jpeg: 'mjpeg', png: 'png' } as const

/** A filter for `-vf` that repeats a frame until the next one arrives. */
export const steadyFilter = (fps: FrameRate): string => `fps=${fps}`

/** Limit on consecutive repeats that are not sent, so that the encoder keeps working during a long still. */
const MAX_SKIPPED = 8

/** FourCC of each raw format in a stream of pictures. */
const RAW_NAMES: Partial<Record<FrameFormat, string>> = {
  rgba: 'RGBA',
  yuv420p: 'I420',
  yuva420p: 'Y4\x0b\x08',
  yuv420p10: 'Y3\x0b\x0a',
}

const hasGaps = (format: FrameFormat, { fillsGaps = false }: EncodeInput): boolean =>
  fillsGaps && RAW_NAMES[format] !== undefined

const inputArgs = (format: FrameFormat, job: EncodeInput): string[] => {
  const { width, height, fps } = job
  if (format === 'jpeg' || format === 'png')
    return ['-f', 'image2pipe', '-c:v', IMAGE_CODECS[format], '-framerate', `${fps}`, '-i', 'pipe:0']
  if (hasGaps(format, job)) return [...streamArgs]
  const layout = format === 'yuv420p10' ? 'yuv420p10le' : format
  const size = ['-video_size', `${width}x${height}`, '-framerate', `${fps}`]
  return ['-f', 'rawvideo', '-pix_fmt', layout, ...size, '-i', 'pipe:0']
}

/** Rejects a frame that would shift or break all that follow it. */
const checkFrame = (frame: Frame, format: FrameFormat, bytes: number | undefined) => {
  const problem =
    frame.format !== format
      ? `it is ${frame.format} in a segment of ${format}`
      : bytes !== undefined && frame.data.byteLength !== bytes
        ? `it has ${frame.data.byteLength} bytes instead of ${bytes}`
        : frame.data.byteLength === 0
          ? 'it is empty'
          : undefined
  if (problem) throw fail('VID_FFMPEG_FRAME', { index: frame.index, problem })
}

/** Resolves when `data` is in the pipe; never resolves when the process exits first. */
const write = (stdin: Writable, data: Uint8Array) =>
  new Promise<void>((resolve) => stdin.write(data, (error) => error ?? resolve()))

/** Reads the number of encoded frames that ffmpeg reports with `-progress pipe:1`. */
const countEncoded = async (child: MediaProcess): Promise<number> => {
  let last = ''
  let frames = 0
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout) {
    const lines = (last + chunk).split('\n')
    last = lines.pop() ?? ''
    for (const line of lines) frames = Number(/^frame=\s*(\d+)/.exec(line)?.[1] ?? frames)
  }
  return frames
}

/** Writes frames until they end or the process exits; pulls the next frame while one is being written. */
const feed = async (frames: AsyncIterator<Frame>, first: Frame, child: MediaProcess, job: EncodeInput) => {
  const { format } = first
  const bytes = frameBytes(format, job.width, job.height)
  const gaps = hasGaps(format, job)
  const exited = child.finished.then((): IteratorResult<Frame, undefined> => ({ done: true, value: undefined }))
  // A frame that is refused may be the first thing that goes wrong.
  exited.catch(() => {})
  let count = 0
  let skips = 0
  let frame: Frame = first
  const send = async () => {
    skips = 0
    if (gaps) child.stdin.write(pictureHead(count, frame.data.length, job.fps))
    await Promise.race([write(child.stdin, frame.data), exited])
  }
  if (gaps) child.stdin.write(streamHead({ ...job, pictures: { raw: RAW_NAMES[format] ?? '' } }))
  for (;;) {
    checkFrame(frame, format, bytes)
    const nextFrame = frames.next()
    nextFrame.catch(() => {})
    const isSkipped = gaps && frame.repeat === true && count > 0 && skips < MAX_SKIPPED
    if (isSkipped) skips++
    else await send()
    const next = await Promise.race([exited, nextFrame])
    // The last frame is always sent, since it marks the end of the video.
    if (next.done && isSkipped) await send()
    count++
    if (next.done) break
    frame = next.value
  }
  child.stdin.end()
  return count
}

const firstFrame = async (frames: AsyncIterator<Frame>, job: EncodeInput): Promise<Frame> => {
  const { promise: aborted, stop } = whenAborted(job.signal)
  try {
    const first = await Promise.race([frames.next(), aborted])
    if (first.done) throw fail('VID_FFMPEG_NO_FRAMES', { file: job.outputPath })
    return first.value
  } finally {
    stop()
  }
}

const whenAborted = (signal: AbortSignal) => {
  let stop = () => {}
  const promise = new Promise<never>((_resolve, reject) => {
    // A listener that is added after the event is never called.
    signal.throwIfAborted()
    const listener = () => reject(signal.reason)
    signal.addEventListener('abort', listener, { once: true })
    stop = () => signal.removeEventListener('abort', listener)
  })
  return { promise, stop }
}

/**
 * Encodes frames into one file and returns their number. An error of the frames is rethrown unchanged; when ffmpeg
 * fails, VID_FFMPEG_FAILED has its last lines. In both cases no process and no file is left.
 */
export const encodeFrames = async (job: EncodeInput): Promise<{ readonly frames: number }> => {
  job.signal.throwIfAborted()
  const { ffmpeg } = job.tools ?? (await findFfmpeg({ signal: job.signal }))
  const frames = job.frames[Symbol.asyncIterator]()
  // When this process is killed, ffmpeg sees the end of stdin and finishes a short but valid file under this name.
  const partial = `${job.outputPath}.partial`
  let child: MediaProcess | undefined
  try {
    const first = await firstFrame(frames, job)
    const args = [...QUIET, '-progress', 'pipe:1', ...(job.inputArgs ?? []), ...inputArgs(first.format, job)]
    child = startProcess(ffmpeg, [...args, ...job.outputArgs(first.format), '-y', partial], job.signal)
    const progressCount = countEncoded(child)
    progressCount.catch(() => {})
    const sentCount = await feed(frames, first, child, job)
    await child.succeeded()
    const encodedCount = await progressCount
    if (encodedCount !== sentCount)
      throw fail('VID_FFMPEG_FRAMES', { sent: sentCount, encoded: encodedCount, stderr: child.stderr() })
    await rename(partial, job.outputPath)
    return { frames: sentCount }
  } catch (error) {
    child?.kill()
    await child?.finished.catch(() => {})
    // Not awaited: a frame that never arrives would delay the error forever.
    frames.return?.()?.catch(() => {})
    await rm(partial, { force: true })
    job.signal.throwIfAborted()
    throw error
  }
}
