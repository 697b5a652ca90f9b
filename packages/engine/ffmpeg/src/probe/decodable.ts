import { describeCause } from '@vid/protocol'
import type { FfmpegTools } from '../tools/find.ts'
import { QUIET } from '../tools/process.ts'
import { readMedia } from './media-read.ts'
import type { MediaInfo, VideoStream } from './probe.ts'
import { isSourceFault } from './source-fault.ts'

/** What ffmpeg says when it lacks the decoder of a codec: the file may be whole. */
const DECODER_MISSING = /decoder \(codec [^()]*\) not found|no decoder found|doesn't support hardware accelerated/i

/** Whether any frame of a stream can be decoded. Only what ffprobe had trouble with is tried, since that takes time. */
export const hasDecodableFrame = async (
  file: string,
  { hasErrors }: MediaInfo,
  { index, pixFmt }: VideoStream,
  { tools, signal }: { readonly tools: FfmpegTools; readonly signal?: AbortSignal | undefined },
): Promise<boolean> => {
  if (!hasErrors && pixFmt !== undefined) return true
  const before = [...QUIET, '-nostdin']
  const after = ['-map', `0:${index}`, '-frames:v', '1', '-f', 'framecrc', '-']
  try {
    const { stdout } = await readMedia({ program: tools.ffmpeg, before, file, after }, signal)
    return /^0,/m.test(stdout)
  } catch (thrown) {
    signal?.throwIfAborted()
    if (!isSourceFault(thrown)) throw thrown
    return DECODER_MISSING.test(describeCause(thrown))
  }
}
