import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { measureFile, nameFor, needsZip, typeOf, zipResults } from './bundle.ts'
import type { Output } from './output.ts'

/** A new token: 256 random bits. */
const newToken = (): string => randomBytes(32).toString('base64url')

/** Where the results of a render are, and in which format. */
export interface Results {
  /** Absolute; a folder for images. */
  readonly paths: readonly string[]
  readonly format: string
  /** Absolute folder of the request, for a zip. */
  readonly folder: string
}

/** The files that can be fetched, by token; each for `ttlMs`. */
export const createOutputs = (ttlMs: number) => {
  const byToken = new Map<string, Output & { readonly owner: string }>()

  const offer = (path: string, name: string, facts: Pick<Output, 'bytes' | 'digest' | 'mark'>): Output => ({
    token: newToken(),
    path,
    name,
    type: typeOf(name),
    ...facts,
    expiresMs: Date.now() + ttlMs,
  })
  return {
    /** Makes one file of the results of a render: several of them, and a folder, become a zip. */
    async offerResults({ paths, format, folder }: Results, signal: AbortSignal): Promise<Output> {
      const [first = ''] = paths
      if (!(await needsZip(paths))) return offer(first, nameFor(first, format), await measureFile(first, signal))
      const zip = join(folder, 'outputs.zip')
      const facts = await zipResults(paths, zip, signal)
      return offer(zip, `${basename(first).replace(/\.[a-z0-9]{1,10}$/i, '')}.zip`, facts)
    },
    /** Offers one file as it is. */
    offerFile: async (path: string, signal: AbortSignal): Promise<Output> =>
      offer(path, basename(path), await measureFile(path, signal)),
    /** Lets `owner` fetch files until they expire. */
    add(owner: string, outputs: readonly Output[]) {
      for (const output of outputs) byToken.set(output.token, { ...output, owner })
    },
    /** The file of a token; undefined when it is unknown, another's, or has expired. */
    find(owner: string, token: string): Output | undefined {
      const output = byToken.get(token)
      return output?.owner === owner && output.expiresMs > Date.now() ? output : undefined
    },
    remove(outputs: readonly Output[]) {
      for (const { token } of outputs) byToken.delete(token)
    },
  }
}

/** The files of a render server that can be fetched. */
export type Outputs = ReturnType<typeof createOutputs>
