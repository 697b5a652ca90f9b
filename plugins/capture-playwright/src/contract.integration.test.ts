import { captureSuite } from '@vid/testkit'
import playwright from './index.ts'

captureSuite(playwright)
