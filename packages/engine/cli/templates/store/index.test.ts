import { storeSuite } from '@vid/testkit'
import store from './index.ts'

storeSuite(store)
