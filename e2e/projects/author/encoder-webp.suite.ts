import { encoderSuite } from '@vid/testkit'
import webp from './encoder-webp.ts'
import { webpFrames } from './webp-frames.ts'

encoderSuite(webp, { decode: webpFrames })
