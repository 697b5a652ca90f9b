import { answerFontAddress, type createRemoteAccess, digestAsset, openCacheDir, openRemoteAssets } from '@vid/assets'
import { findFfmpeg } from '@vid/ffmpeg'
import { COMPOSITION_SOURCE, FFMPEG_SOURCE, type InputFile } from '@vid/kernel'
import { digestOf } from '@vid/system'

/** Whether all files that a page was drawn from are unchanged. */
export type InputCheck = (inputs: readonly InputFile[], signal: AbortSignal) => Promise<boolean>

/** Creates a check of page inputs; each source is read once, so a check serves one render. */
export const createInputCheck = (options: {
  /** Absolute path. */
  readonly projectDir: string
  /** SHA-256 (hex) of the composition's text. */
  readonly composition: string
  /** Hosts of remote files that may have private addresses. */
  readonly privateHosts: readonly string[]
  /** Network access of the pages; every public address if left out. */
  readonly access?: ReturnType<typeof createRemoteAccess>
}): InputCheck => {
  const { projectDir, composition } = options
  const digests = new Map<string, Promise<string | null>>()
  let remote: ReturnType<typeof openRemoteAssets> | undefined

  const digestNow = async (source: string, signal: AbortSignal): Promise<string | null> => {
    if (source === COMPOSITION_SOURCE) return composition
    if (source === FFMPEG_SOURCE) return digestOf((await findFfmpeg({ signal })).build)
    if (!/^https?:/.test(source)) return digestAsset(projectDir, source)
    const font = await answerFontAddress(projectDir, source)
    if (font) return digestOf(font.body)
    remote ??= openRemoteAssets({ ...options, signal, cacheDir: await openCacheDir(process.env) })
    return digestOf((await remote.get(source)).body)
  }
  const isSame = async ({ source, digest }: InputFile, signal: AbortSignal): Promise<boolean> => {
    // Fetching a failed address again would only wait for the same failure.
    if (digest === null && /^https?:/.test(source)) return false
    const current = digests.get(source) ?? digestNow(source, signal)
    digests.set(source, current)
    try {
      return (await current) === digest
    } catch {
      // An aborted or failed read must not be cached for the next check.
      digests.delete(source)
      remote = undefined
      signal.throwIfAborted()
      return false
    }
  }
  return async (inputs, signal) => {
    for (const input of inputs) if (!(await isSame(input, signal))) return false
    return true
  }
}
