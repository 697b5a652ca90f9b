import { decodeFrames } from '@vid/ffmpeg'
import { encoderSuite } from '@vid/testkit'
import mov from './index.ts'

encoderSuite(mov, {
  decode: (file) => decodeFrames(file, { pixFmt: 'rgba' }),
  request: { quality: 'draft' },
})
