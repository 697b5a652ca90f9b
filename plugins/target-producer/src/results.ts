import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { type ProducerClient, unpackResult } from '@vid/client'
import type { ProducerResult } from '@vid/client/contract'
import type { RemoteArtifact } from '@vid/kernel'
import { fail } from './errors.ts'

/** The destination of results. */
interface ResultPlaces {
  /** Absolute paths, one for each output. */
  readonly paths: readonly [string, ...string[]]
  /** Absolute folder for temporary files. */
  readonly workDir: string
}

const unpack = (zip: string, folder: string, signal: AbortSignal): Promise<void> =>
  unpackResult(zip, folder, { signal, refuse: (reason, cause) => fail('VID_PRODUCER_RESULT', { reason }, { cause }) })

/** The name in a zip of the result for a path: the one with the same extension, or none for a folder of images. */
const nameFor = (path: string, names: readonly string[]): string => {
  const fitting = names.filter((name) => extname(name) === extname(path) && basename(name) === name)
  const [name] = fitting
  if (fitting.length === 1 && name !== undefined && name !== '.' && name !== '..') return name
  throw fail('VID_PRODUCER_RESULT', { reason: `it has none or several with the extension of ${basename(path)}` })
}

/** Downloads the server's results to their destinations, and verifies them. */
export const fetchResults = async (
  client: ProducerClient,
  result: ProducerResult,
  { paths, workDir }: ResultPlaces,
  signal: AbortSignal,
): Promise<RemoteArtifact> => {
  const [path, ...otherPaths] = paths
  const { files, digest } = result
  if (files.length !== paths.length && (files.length > 0 || otherPaths.length > 0))
    throw fail('VID_PRODUCER_RESULT', { reason: `${files.length} of ${paths.length} were sent` })
  if (files.length === 0) {
    await client.download(result, path, { signal })
    return { path, ...(digest !== null && { digest }) }
  }
  const name = randomUUID()
  const zip = join(workDir, `${name}.zip`)
  const folder = join(workDir, name)
  try {
    await client.download(result, zip, { signal })
    if (files[0] === '.') await unpack(zip, path, signal)
    else {
      await unpack(zip, folder, signal)
      for (const path of paths) await rename(join(folder, nameFor(path, files)), path)
    }
  } finally {
    for (const leftover of [zip, folder]) await rm(leftover, { recursive: true, force: true, maxRetries: 3 })
  }
  return { path, more: otherPaths.map((other) => ({ path: other })) }
}
