import { deliveryFailure, placeArtifact, placingReason } from '@vid/delivery'
import { defineDelivery } from '@vid/kernel'

/** Writes the finished file, or folder of images, to the output path: completely or not at all. */
export default defineDelivery({
  name: '@vid/deliver-file',
  writesOutput: true,
  async deliver(artifact, { outputPath }, { signal }) {
    try {
      await placeArtifact(artifact.path, outputPath, signal)
    } catch (cause) {
      if (signal.aborted) throw cause
      throw deliveryFailure(
        'VID_OUTPUT_UNWRITABLE',
        { path: outputPath, reason: placingReason(cause, outputPath) },
        { cause },
      )
    }
  },
})
