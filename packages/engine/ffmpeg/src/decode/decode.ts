import { fail } from '../errors.ts'
import { readMedia, startMediaRead } from '../probe/media-read.ts'
import { probeMedia } from '../probe/probe.ts'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { passthrough } from '../tools/passthrough.ts'
import { QUIET } from '../tools/process.ts'

/** Bytes per pixel of each pixel format that frames can be decoded to. */
const PIXEL_BYTES = { rgb24: 3, rgba: 4, gray: 1 } as const

/** What `decodeFrames` produces and how. */
export interface DecodeOptions {
  readonly pixFmt: keyof typeof PIXEL_BYTES
  /** Size to scale to; default the stream's own. */
  readonly scale?: { readonly width: number; readonly height: number }
  /** Name of the decoder; only `libvpx-vp9` decodes the alpha of VP9. */
  readonly decoder?: string
  readonly signal?: AbortSignal
  /** Default: what `findFfmpeg()` finds. */
  readonly tools?: FfmpegTools
}

type ToolOptions = Pick<DecodeOptions, 'signal' | 'tools' | 'decoder'>

const beforeInput = ({ decoder }: ToolOptions): string[] => [
  ...QUIET,
  ...(decoder === undefined ? [] : ['-c:v', decoder]),
]

const toolsOf = ({ signal, tools }: ToolOptions) => tools ?? findFfmpeg(signal ? { signal } : {})

/** Decodes the first video stream to full-range pixels; each frame has `width × height × bytes per pixel` bytes. */
export async function* decodeFrames(file: string, options: DecodeOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const tools = await toolsOf(options)
  const size = options.scale ?? (await probeMedia(file, { ...options, tools })).video[0]
  if (!size) throw fail('VID_FFMPEG_PROBE', { file, reason: 'it has no video stream.' })
  const bytes = size.width * size.height * PIXEL_BYTES[options.pixFmt]
  const scale = `scale=${size.width}:${size.height}:flags=bicubic+accurate_rnd+full_chroma_int+bitexact`
  const after = [
    '-map',
    '0:v:0',
    '-vf',
    scale,
    '-pix_fmt',
    options.pixFmt,
    ...passthrough(tools),
    '-f',
    'rawvideo',
    'pipe:1',
  ]
  const command = { program: tools.ffmpeg, before: beforeInput(options), file, after }
  const child = await startMediaRead(command, options.signal)
  try {
    yield* cutPictures(child.stdout, bytes)
    await child.succeeded()
  } catch (error) {
    // When reading and the process both fail, the process has the cause.
    await child.finished
    throw error
  } finally {
    child.kill()
    await child.finished.catch(() => {})
  }
}

/** Cuts a byte stream into pictures of `bytes` bytes; an incomplete one at the end is dropped. */
export async function* cutPictures(
  stream: AsyncIterable<Buffer>,
  bytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let piece = new Uint8Array(bytes)
  let length = 0
  for await (const chunk of stream) {
    for (let offset = 0; offset < chunk.length; ) {
      const part = chunk.subarray(offset, offset + bytes - length)
      piece.set(part, length)
      length += part.length
      offset += part.length
      if (length < bytes) continue
      yield piece
      piece = new Uint8Array(bytes)
      length = 0
    }
  }
}

/** MD5 of each decoded frame of the first video stream, in order. */
export const frameHashes = async (file: string, options: ToolOptions = {}): Promise<string[]> => {
  const tools = await toolsOf(options)
  const after = ['-map', '0:v:0', ...passthrough(tools), '-f', 'framemd5', 'pipe:1']
  const command = { program: tools.ffmpeg, before: beforeInput(options), file, after }
  const { stdout } = await readMedia(command, options.signal, { strict: true })
  return stdout
    .split('\n')
    .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [line.split(',').at(-1)?.trim() ?? '']))
}
