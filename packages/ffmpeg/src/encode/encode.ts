import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { type Frame, type FrameFormat, frameBytes } from '@vid/kernel'
import { fail } from '../errors.ts'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { type MediaProcess, QUIET, startProcess } from '../tools/process.ts'
import { pictureHead, streamArgs, streamHead } from './matroska.ts'

export interface EncodeJob {
  /** Frames of one format. */
  readonly frames: AsyncIterable<Frame>
  /** Size of a frame. */
  readonly width: number
  readonly height: number
  readonly fps: number
  /** ffmpeg's options before the input, such as a device. */
  readonly inputArgs?: readonly string[]
  /** ffmpeg's output options, muxer (`-f`) included, for frames of a format. */
  readonly outputArgs: (format: FrameFormat) => readonly string[]
  /** That the output options fill gaps (`steadyFilter`): frames that repeat are then hardly sent. */
  readonly fillsGaps?: boolean
  /** Absolute; written as a whole or not at all. */
  readonly outputPath: string
  readonly signal: AbortSignal
  /** Default: what `findFfmpeg()` finds. */
  readonly tools?: FfmpegTools
}

const IMAGE_CODECS = { jpeg: 'mjpeg', png: 'png' } as const

/** A filter for `-vf` that shows a frame until the next one comes. */
export const steadyFilter = (fps: number): string => `fps=${fps}`

/** After so many repeats a frame is sent again, so that the encoder has work while the next is waited for. */
const MOST_HELD = 8

/** Names of the raw formats in a stream of pictures. */
const RAW_NAMES: Partial<Record<FrameFormat, string>> = {
  rgba: 'RGBA',
  yuv420p: 'I420',
  yuva420p: 'Y4\x0b\x08',
  yuv420p10: 'Y3\x0b\x0a',
}

const hasGaps = (format: FrameFormat, { fillsGaps = false }: EncodeJob): boolean =>
  fillsGaps && RAW_NAMES[format] !== undefined

const inputArgs = (format: FrameFormat, job: EncodeJob): string[] => {
  const { width, height, fps } = job
  if (format === 'jpeg' || format === 'png')
    return ['-f', 'image2pipe', '-c:v', IMAGE_CODECS[format], '-framerate', `${fps}`, '-i', 'pipe:0']
  if (hasGaps(format, job)) return [...streamArgs]
  const layout = format === 'yuv420p10' ? 'yuv420p10le' : format
  const size = ['-video_size', `${width}x${height}`, '-framerate', `${fps}`]
  return ['-f', 'rawvideo', '-pix_fmt', layout, ...size, '-i', 'pipe:0']
}

/** Throws for a frame that would shift or break all that follow it. */
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

/** Settles when `data` has left for the pipe; never, when the process is gone before. */
const write = (stdin: Writable, data: Uint8Array) =>
  new Promise<void>((resolve) => stdin.write(data, (error) => error ?? resolve()))

/** Number of frames that ffmpeg reports with `-progress pipe:1`. */
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

/** Writes frames until they end or the process does; the next one is made while one is being written. */
const feed = async (frames: AsyncIterator<Frame>, first: Frame, child: MediaProcess, job: EncodeJob) => {
  const { format } = first
  const bytes = frameBytes(format, job.width, job.height)
  const gaps = hasGaps(format, job)
  const gone = child.finished.then((): IteratorResult<Frame, undefined> => ({ done: true, value: undefined }))
  let given = 0
  let held = 0
  let frame: Frame = first
  const send = async () => {
    held = 0
    if (gaps) child.stdin.write(pictureHead(given, frame.data.length, job.fps))
    await Promise.race([write(child.stdin, frame.data), gone])
  }
  if (gaps) child.stdin.write(streamHead({ ...job, pictures: { raw: RAW_NAMES[format] ?? '' } }))
  for (;;) {
    checkFrame(frame, format, bytes)
    const coming = frames.next()
    coming.catch(() => {})
    const isHeld = gaps && frame.repeat === true && given > 0 && held < MOST_HELD
    if (isHeld) held++
    else await send()
    const next = await Promise.race([gone, coming])
    // The last one is sent in any case: it tells where the video ends.
    if (next.done && isHeld) await send()
    given++
    if (next.done) break
    frame = next.value
  }
  child.stdin.end()
  return given
}

const firstFrame = async (frames: AsyncIterator<Frame>, job: EncodeJob): Promise<Frame> => {
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
    // A listener added after the event is never called.
    signal.throwIfAborted()
    const listener = () => reject(signal.reason)
    signal.addEventListener('abort', listener, { once: true })
    stop = () => signal.removeEventListener('abort', listener)
  })
  return { promise, stop }
}

/**
 * Encodes frames into one file and returns how many there were. When the frames fail, that error is thrown as it
 * is; when ffmpeg fails, its last lines are in VID_FFMPEG_FAILED; in both cases no process and no file is left.
 */
export const encodeFrames = async (job: EncodeJob): Promise<{ readonly frames: number }> => {
  job.signal.throwIfAborted()
  const { ffmpeg } = job.tools ?? (await findFfmpeg({ signal: job.signal }))
  const frames = job.frames[Symbol.asyncIterator]()
  // A killed parent closes stdin, and ffmpeg then ends a short but valid file: it must not carry the final name.
  const partial = `${job.outputPath}.partial`
  let child: MediaProcess | undefined
  try {
    const first = await firstFrame(frames, job)
    const args = [...QUIET, '-progress', 'pipe:1', ...(job.inputArgs ?? []), ...inputArgs(first.format, job)]
    child = startProcess(ffmpeg, [...args, ...job.outputArgs(first.format), '-y', partial], job.signal)
    const counting = countEncoded(child)
    counting.catch(() => {})
    const given = await feed(frames, first, child, job)
    await child.succeeded()
    const encoded = await counting
    if (encoded !== given) throw fail('VID_FFMPEG_FRAMES', { given, encoded, stderr: child.stderr() })
    await rename(partial, job.outputPath)
    return { frames: given }
  } catch (error) {
    child?.kill()
    await child?.finished.catch(() => {})
    // Not awaited: frames that never come would hold back the error.
    frames.return?.()?.catch(() => {})
    await rm(partial, { force: true })
    job.signal.throwIfAborted()
    throw error
  }
}
