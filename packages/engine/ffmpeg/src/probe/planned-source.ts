import { isMachineFault, type MediaTrack, type VidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { readSource, type SourceFile } from './source.ts'

/** The error of a track whose source is not, or no longer, the file that was planned. */
export const mediaChanged = (
  { src, source }: { readonly src: string; readonly source: Pick<MediaTrack['source'], 'digest'> },
  current?: Pick<SourceFile, 'digest'>,
): VidError => fail('VID_MEDIA_CHANGED', { src, planned: source.digest, found: current?.digest ?? 'missing' })

/**
 * Throws VID_MEDIA_CHANGED, with the digest as its name, when a source is no longer the file that was read. What is decoded
 * before this is of that file; only a file whose state has changed is read again.
 */
export const checkUnchanged = async (
  source: Pick<SourceFile, 'file' | 'digest'>,
  options: { readonly tools: FfmpegTools; readonly signal: AbortSignal },
): Promise<void> => {
  const current = await readSource(source.file, options).catch((thrown: unknown) => {
    options.signal.throwIfAborted()
    if (isMachineFault(thrown)) throw thrown
    return undefined
  })
  if (current?.digest !== source.digest) throw mediaChanged({ src: source.digest, source }, current)
}
