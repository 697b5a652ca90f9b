// All tests of `vid lambda`: one deployment of the stack takes as long as several of them, and serves all.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import './deployment.ts'
import './renders.ts'
import './batches.ts'
import './sites.ts'
import './refusals.ts'
import './hls.ts'
import './shapes.ts'
import './removal.ts'
import { closeAws, deployOnce, openAws } from './stack.ts'

beforeAll(openAws)
beforeEach(deployOnce)
afterAll(closeAws)
