import { cp } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { defineDelivery, Type } from '@vid/kernel'

/** Copies the result into one folder. */
export default defineDelivery({
  name: '@vid/deliver-template',
  options: Type.Object({
    /** Absolute folder that the copies go to. */
    folder: Type.String(),
  }),
  async deliver(artifact, { outputPath }, { options, signal }) {
    signal.throwIfAborted()
    await cp(artifact.path, join(options.folder, basename(outputPath)), { recursive: true })
  },
})
