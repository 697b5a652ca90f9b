import { join } from 'node:path'
import { damageFiles, storeSuite } from '@vid/testkit'
import disk from './index.ts'

storeSuite(disk, { damage: (projectDir) => damageFiles(join(projectDir, '.vid')) })
