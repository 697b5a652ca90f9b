import { placeArtifact } from '@vid/delivery'
import { defineDelivery, describeCause } from '@vid/kernel'
import { fail } from './errors.ts'

export { deliverFileErrors } from './errors.ts'

/** Writes the finished file, or folder of images, to the output path: completely or not at all. */
export default defineDelivery({
  name: '@vid/deliver-file',
  async deliver(artifact, { outputPath }, { signal }) {
    try {
      await placeArtifact(artifact.path, outputPath, signal)
    } catch (cause) {
      if (signal.aborted) throw cause
      throw fail('VID_OUTPUT_UNWRITABLE', { path: outputPath, reason: describeCause(cause) }, { cause })
    }
  },
})
