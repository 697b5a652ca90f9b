import { basename, join } from 'node:path'
import { measureFile, nameFor, needsZip, typeOf, zipResults } from './bundle.ts'
import type { DownloadableFile } from './output.ts'
import { newToken } from './token.ts'

/** The results of a render, with their format. */
interface Results {
  /** Absolute paths; a folder for images. */
  readonly paths: readonly string[]
  readonly format: string
  /** Absolute folder of the request, for a zip. */
  readonly folder: string
}

/** Creates the registry of downloadable files by token; each is available for `ttlMs`. */
export const createOutputs = (ttlMs: number) => {
  const byToken = new Map<string, DownloadableFile & { readonly owner: string }>()

  const offer = (
    path: string,
    name: string,
    facts: Pick<DownloadableFile, 'bytes' | 'digest' | 'mark'>,
  ): DownloadableFile => ({
    token: newToken(),
    path,
    name,
    type: typeOf(name),
    ...facts,
    expiresMs: Date.now() + ttlMs,
  })
  return {
    /** Offers the results of a render as one file: several results, or a folder, become a zip. */
    async offerResults({ paths, format, folder }: Results, signal: AbortSignal): Promise<DownloadableFile> {
      const [first = ''] = paths
      if (!(await needsZip(paths))) return offer(first, nameFor(first, format), await measureFile(first, signal))
      const zip = join(folder, 'outputs.zip')
      const facts = await zipResults(paths, zip, signal)
      return offer(zip, `${basename(first).replace(/\.[a-z0-9]{1,10}$/i, '')}.zip`, facts)
    },
    /** Offers one file unchanged. */
    offerFile: async (path: string, signal: AbortSignal): Promise<DownloadableFile> =>
      offer(path, basename(path), await measureFile(path, signal)),
    /** Lets `owner` download files until they expire. */
    add(owner: string, outputs: readonly DownloadableFile[]) {
      for (const output of outputs) byToken.set(output.token, { ...output, owner })
    },
    /** The file of a token; undefined if the token is unknown, expired, or belongs to another owner. */
    find(owner: string, token: string): DownloadableFile | undefined {
      const output = byToken.get(token)
      return output?.owner === owner && output.expiresMs > Date.now() ? output : undefined
    },
    remove(outputs: readonly DownloadableFile[]) {
      for (const { token } of outputs) byToken.delete(token)
    },
  }
}

/** The registry of downloadable files. */
export type Outputs = ReturnType<typeof createOutputs>
