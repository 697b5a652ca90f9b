import { targetSuite } from '@vid/testkit'
import target from './index.ts'

targetSuite(target)
