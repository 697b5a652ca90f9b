import { decodeFrames } from '@vid/ffmpeg'
import { encoderSuite } from '@vid/testkit'
import mp4 from './index.ts'

encoderSuite(mp4, {
  decode: (file) => decodeFrames(file, { pixFmt: 'rgba' }),
  request: { quality: 'draft' },
})
