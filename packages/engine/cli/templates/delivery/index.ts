import { basename, join } from 'node:path'
import { defineDelivery, defineErrors, describeCause, machineLocal, placeArtifact, Type } from '@vid/kernel'

const fail = defineErrors({
  VID_TEMPLATE_UNWRITABLE: (f: { folder: string; reason: string }) => ({
    message: `The result cannot be copied to ${f.folder}: ${f.reason}.`,
    hint: 'Choose another folder.',
    fault: 'machine',
  }),
})

/** Copies the result into one folder. */
export default defineDelivery({
  name: '@vid/deliver-template',
  options: Type.Object({
    /** Absolute folder that the copies go to. */
    folder: machineLocal(Type.String()),
  }),
  async deliver(artifact, { outputPath }, { options: { folder }, signal }) {
    const path = join(folder, basename(outputPath))
    try {
      // A file or a folder of images: completely or not at all.
      await placeArtifact(artifact.path, path, signal)
    } catch (cause) {
      if (signal.aborted) throw cause
      throw fail('VID_TEMPLATE_UNWRITABLE', { folder, reason: describeCause(cause) }, { cause })
    }
    return path
  },
})
