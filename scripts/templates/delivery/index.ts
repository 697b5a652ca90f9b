import { randomUUID } from 'node:crypto'
import { cp, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { defineDelivery, defineErrors, describeCause, machineLocal, Type } from '@vid/kernel'

const fail = defineErrors({
  VID_TEMPLATE_UNWRITABLE: (f: { folder: string; reason: string }) => ({
    message: `the result cannot be copied to ${f.folder}: ${f.reason}`,
    hint: 'choose another folder',
    fault: 'machine',
  }),
})

/** Copies beside the destination and renames, so that an incomplete copy is never visible. */
const copy = async (from: string, folder: string, name: string, signal: AbortSignal) => {
  signal.throwIfAborted()
  await mkdir(folder, { recursive: true })
  const fresh = join(folder, `.${name}.${randomUUID()}`)
  try {
    await cp(from, fresh, { recursive: true })
    signal.throwIfAborted()
    // A folder of images cannot be renamed over an older one.
    if ((await lstat(fresh)).isDirectory()) await rm(join(folder, name), { recursive: true, force: true })
    await rename(fresh, join(folder, name))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Copies the result into one folder. */
export default defineDelivery({
  name: '@vid/deliver-template',
  options: Type.Object({
    /** Absolute folder that the copies go to. */
    folder: machineLocal(Type.String()),
  }),
  async deliver(artifact, { outputPath }, { options: { folder }, signal }) {
    try {
      await copy(artifact.path, folder, basename(outputPath), signal)
    } catch (cause) {
      if (signal.aborted) throw cause
      throw fail('VID_TEMPLATE_UNWRITABLE', { folder, reason: describeCause(cause) }, { cause })
    }
  },
})
