import { targetSuite } from '@vid/testkit'
import local from './index.ts'

targetSuite(local)
