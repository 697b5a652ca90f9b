import { captureSuite } from '@vid/testkit'
import capture from './index.ts'

captureSuite(capture)
