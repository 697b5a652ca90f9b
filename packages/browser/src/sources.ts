import { digestAsset, digestOf, openCacheDir, openRemoteAssets } from '@vid/assets'
import { findFfmpeg } from '@vid/ffmpeg'
import type { InputFile } from '@vid/kernel'

/** Names the text of a composition, as a page was given it, among the files that a page was drawn from. */
export const COMPOSITION_SOURCE = 'vid:composition'

/** Names the ffmpeg that extracts frames of source videos. */
export const FFMPEG_SOURCE = 'vid:ffmpeg'

/** Says whether files that pages were drawn from are still the same; each is looked at once. */
export const createSourceCheck = (options: {
  /** Absolute. */
  readonly projectDir: string
  /** SHA-256 (hex) of the composition's text. */
  readonly composition: string
  readonly privateHosts: readonly string[]
}): ((inputs: readonly InputFile[], signal: AbortSignal) => Promise<boolean>) => {
  const { projectDir, composition } = options
  const known = new Map<string, Promise<string | null>>()
  let remote: ReturnType<typeof openRemoteAssets> | undefined

  const find = async (source: string, signal: AbortSignal): Promise<string | null> => {
    if (source === COMPOSITION_SOURCE) return composition
    if (source === FFMPEG_SOURCE) return digestOf((await findFfmpeg({ signal })).build)
    if (!/^https?:/.test(source)) return digestAsset(projectDir, source)
    remote ??= openRemoteAssets({ ...options, signal, cacheDir: await openCacheDir(process.env) })
    return digestOf((await remote.get(source)).body)
  }
  const isSame = async ({ source, digest }: InputFile, signal: AbortSignal): Promise<boolean> => {
    // An address that failed would be waited for once more, only to learn that it still fails.
    if (digest === null && /^https?:/.test(source)) return false
    const now = known.get(source) ?? find(source, signal)
    known.set(source, now)
    try {
      return (await now) === digest
    } catch {
      // What was stopped, or could not be read, must not answer for the next question.
      known.delete(source)
      remote = undefined
      signal.throwIfAborted()
      return false
    }
  }
  return async (inputs, signal) => {
    for (const read of inputs) if (!(await isSame(read, signal))) return false
    return true
  }
}
