import { decodeFrames } from '@vid/ffmpeg'
import { encoderSuite } from '@vid/testkit'
import encoder from './index.ts'

encoderSuite(encoder, { decode: (path) => decodeFrames(path, { pixFmt: 'rgba' }) })
