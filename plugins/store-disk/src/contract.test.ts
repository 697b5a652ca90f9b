import { storeSuite } from '@vid/testkit'
import disk from './index.ts'

storeSuite(disk)
