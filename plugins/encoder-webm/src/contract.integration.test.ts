import { decodeFrames } from '@vid/ffmpeg'
import { encoderSuite } from '@vid/testkit'
import webm from './index.ts'

encoderSuite(webm, {
  decode: (file) => decodeFrames(file, { pixFmt: 'rgba', decoder: 'libvpx-vp9' }),
  request: { quality: 'draft' },
})
