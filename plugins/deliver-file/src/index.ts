import { defineDelivery, outputUnwritable, placeArtifact } from '@vid/kernel'

/** Writes the finished file, or folder of images, to the output path: completely or not at all. */
export default defineDelivery({
  name: '@vid/deliver-file',
  writesOutput: true,
  async deliver(artifact, { outputPath }, { signal }) {
    try {
      await placeArtifact(artifact.path, outputPath, signal)
    } catch (cause) {
      if (signal.aborted) throw cause
      throw outputUnwritable(outputPath, cause)
    }
  },
})
