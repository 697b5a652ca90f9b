// All tests of `vid lambda`: one deployment of the stack takes as long as several of them, and serves all.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import './lambda/deployment.ts'
import './lambda/renders.ts'
import './lambda/batches.ts'
import './lambda/sites.ts'
import './lambda/refusals.ts'
import './lambda/hls.ts'
import './lambda/shapes.ts'
import './lambda/removal.ts'
import { closeAws, deployOnce, openAws } from './lambda/stack.ts'

beforeAll(openAws)
beforeEach(deployOnce)
afterAll(closeAws)
