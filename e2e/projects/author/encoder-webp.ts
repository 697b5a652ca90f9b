import { encodeFrames, findFfmpeg } from '@vid/ffmpeg'
import { defineEncoder, Type, withDefault } from '@vid/kernel'

/** Encodes a lossless animated WebP, each frame a picture of its own. */
export default defineEncoder({
  name: '@acme/vid-encoder-webp',
  formats: ['webp'],
  accepts: ['rgba', 'png'],
  alpha: true,
  audio: false,
  options: Type.Object({
    /** How often it plays, 0 for ever. */
    loop: withDefault(Type.Integer({ minimum: 0, maximum: 65535 }), 0),
  }),
  build: async ({ signal }) => (await findFfmpeg({ signal })).build,
  async encode(frames, { path, plan }, { options, signal }) {
    const outputPath = `${path}.webp`
    const { width, height, fps } = plan
    const picture = ['-c:v', 'libwebp', '-lossless', '1', '-compression_level', '3', '-pix_fmt', 'bgra']
    const outputArgs = () => [...picture, '-loop', `${options.loop}`, '-fflags', '+bitexact', '-f', 'webp']
    await encodeFrames({ frames, width, height, fps, outputArgs, outputPath, signal })
    return { file: outputPath }
  },
})
