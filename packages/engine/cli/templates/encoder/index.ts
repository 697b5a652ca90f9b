import { encodeFrames, findFfmpeg } from '@vid/ffmpeg'
import { defineEncoder } from '@vid/kernel'

// The name of the format, the extension of its files and the arguments of ffmpeg belong together: replace all three.

/** Encodes an animated PNG. */
export default defineEncoder({
  name: '@vid/encoder-template',
  formats: ['apng'],
  accepts: ['rgba', 'png'],
  alpha: true,
  audio: false,
  async build({ signal }) {
    return (await findFfmpeg({ signal })).build
  },
  async encode(frames, segment, { signal }) {
    const outputPath = `${segment.path}.apng`
    const { width, height, fps } = segment.plan
    // `-plays 0` is for ever; the same frames must give the same bytes, so nothing of the machine goes in.
    const outputArgs = () => ['-c:v', 'apng', '-pix_fmt', 'rgba', '-plays', '0', '-f', 'apng']
    await encodeFrames({ frames, width, height, fps, outputArgs, outputPath, signal })
    return { file: outputPath }
  },
})
