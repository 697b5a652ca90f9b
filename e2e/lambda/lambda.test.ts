// All tests of `vid lambda`: one deployment of the stack takes as long as several of them, and serves all.
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { closeAws, deployOnce, openAws } from './stack.ts'

beforeAll(openAws)
beforeEach(deployOnce)
afterAll(closeAws)

// The stack is looked at when it is new, and removed when all else is done.
describe('one stack', { shuffle: false }, async () => {
  await import('./deployment.ts')
  await import('./renders.ts')
  await import('./batches.ts')
  await import('./sites.ts')
  await import('./refusals.ts')
  await import('./hls.ts')
  await import('./shapes.ts')
  await import('./removal.ts')
})
