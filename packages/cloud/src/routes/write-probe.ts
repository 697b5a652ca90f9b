import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeScratchFolder } from '@vid/system'
import { fail } from '../errors.ts'
import type { CloudParts } from './parts.ts'

/** Object that shows that the storage takes more; written again and again. */
export const PROBE = 'ready/probe'
/** More than what a full disk still finds room for, and little for an object store. */
const PROBE_BYTES = 256 * 1024
/** How long a proof holds: object stores charge for each write. */
const PROOF_MS = 10_000

/** Proves that the database, the folder of this process and the storage can be written, now and then. */
export const createWriteProbe = ({ database, storage, state }: Pick<CloudParts, 'database' | 'storage' | 'state'>) => {
  const prove = async (): Promise<void> => {
    await database.run(
      `INSERT INTO vid.settings (key, value) VALUES ('ready', to_jsonb(now()))
       ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
    )
    let folder: string | undefined
    try {
      folder = await makeScratchFolder(state, 'ready-')
      const file = join(folder, 'probe')
      await writeFile(file, Buffer.alloc(PROBE_BYTES, 1), { flush: true })
      await storage.put(PROBE, file)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause
      const reason = String((cause as NodeJS.ErrnoException).code)
      throw fail('VID_CLOUD_STORAGE', { action: 'keep', key: PROBE, reason }, { cause })
    } finally {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    }
  }
  let last: { readonly ms: number; readonly proof: Promise<void> } | undefined
  return async (): Promise<void> => {
    if (!last || performance.now() - last.ms > PROOF_MS) {
      const attempt = { ms: performance.now(), proof: prove() }
      last = attempt
      // What has failed is tried again by the next request.
      attempt.proof.catch(() => {
        if (last === attempt) last = undefined
      })
    }
    await last.proof
  }
}
