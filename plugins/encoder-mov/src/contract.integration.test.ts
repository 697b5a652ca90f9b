import { decodeFrames, joinProres, readDistinct } from '@vid/ffmpeg'
import { encoderSuite } from '@vid/testkit'
import { pictureBytes, TAG } from './arguments.ts'
import mov from './index.ts'

/** Bare ProRes frames get a container, which says nothing that they do not. */
const contain = async (file: string): Promise<string> => {
  const signal = new AbortController().signal
  const pictures = () => readDistinct(file, pictureBytes, signal)
  let size = { width: 0, height: 0 }
  for await (const picture of pictures()) size = { width: picture.readUInt16BE(16), height: picture.readUInt16BE(18) }
  const outputPath = `${file}.mov`
  const muxerArgs = ['-f', 'mov']
  await joinProres({
    pictures: pictures(),
    tag: TAG,
    depth: 32,
    ...size,
    fps: 30,
    muxerArgs,
    outputPath,
    signal,
  })
  return outputPath
}

encoderSuite(mov, {
  async *decode(path) {
    yield* decodeFrames(path.endsWith('.prores') ? await contain(path) : path, { pixFmt: 'rgba' })
  },
  request: { quality: 'draft' },
})
