import { decodeFrames, readPngs } from '@vid/ffmpeg'
import { decodePng, encoderSuite } from '@vid/testkit'
import gif from './index.ts'

/** Segments are images, the joined video is a gif. */
async function* decode(file: string) {
  if (file.endsWith('.gif')) yield* decodeFrames(file, { pixFmt: 'rgba' })
  else for await (const image of readPngs(file, new AbortController().signal)) yield decodePng(image).data
}

encoderSuite(gif, { decode })
