import { join } from 'node:path'
import { damageFiles, storeSuite } from '@vid/testkit'
import store from './index.ts'

storeSuite(store, { damage: (projectDir) => damageFiles(join(projectDir, '.vid')) })
