import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeCause, isVidError } from '@vid/protocol'
import { makeScratchFolder } from '@vid/system'
import { fail } from '../errors.ts'
import type { CloudParts } from './parts.ts'

/** Object that is written repeatedly to prove that the storage accepts writes. */
export const PROBE = 'ready/probe'
/** More than fits on a full disk, but little for an object store. */
const PROBE_BYTES = 256 * 1024
/** How long a result is cached: object stores charge for each write. */
const PROOF_MS = 10_000
/** Seconds after which a client may retry. */
const RETRY_SECONDS = 10

/** The error of a part of the server that does not work. */
export const notReady = (part: string, cause: unknown) => {
  // A database that is away has a code of its own.
  if (isVidError(cause) && cause.code === 'VID_CLOUD_DATABASE_AWAY') return cause
  const facts = { field: part, reason: describeCause(cause), retryAfterSeconds: RETRY_SECONDS }
  return fail('VID_CLOUD_NOT_READY', facts, { cause })
}

const proveFolder = async (state: string, storage: Pick<CloudParts['storage'], 'put'>): Promise<void> => {
  let part = 'state'
  let folder: string | undefined
  try {
    folder = await makeScratchFolder(state, 'ready-')
    const file = join(folder, 'probe')
    await writeFile(file, Buffer.alloc(PROBE_BYTES, 1), { flush: true })
    part = 'storage'
    await storage.put(PROBE, file)
  } catch (cause) {
    throw notReady(part, cause)
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** Proves, at most every ten seconds, that the database, the state folder and the storage accept writes. */
export const createWriteProbe = ({ database, storage, state }: Pick<CloudParts, 'database' | 'storage' | 'state'>) => {
  const prove = async (): Promise<void> => {
    await database
      .run(
        `INSERT INTO vid.settings (key, value) VALUES ('ready', to_jsonb(now()))
         ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
      )
      .catch((cause: unknown) => {
        throw notReady('database', cause)
      })
    await proveFolder(state, storage)
  }
  let last: { readonly ms: number; readonly proof: Promise<void> } | undefined
  return async (): Promise<void> => {
    if (!last || performance.now() - last.ms > PROOF_MS) {
      const attempt = { ms: performance.now(), proof: prove() }
      last = attempt
      // The next request retries a failed probe.
      attempt.proof.catch(() => {
        if (last === attempt) last = undefined
      })
    }
    await last.proof
  }
}
