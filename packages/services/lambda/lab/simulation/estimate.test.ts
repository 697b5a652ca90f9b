import { expect, test } from 'vitest'
import { costOf } from '../../src/cost/usage.ts'
import { estimateRenderCost, knownPrices } from '../../src/index.ts'
import { noLimits } from './account-limits.ts'
import { workloadOf } from './scenario.ts'
import { simulate } from './simulate.ts'

const minute = {
  config: { fps: 30, width: 1920, height: 1080, format: 'mp4' },
  durationSeconds: 60,
  region: 'us-east-1',
}

test('an estimate is what a simulation without limits and without chance pays', () => {
  const config = { ...minute.config, targetChunkFrames: 120, maxParallelChunks: 100 }
  const { expected } = estimateRenderCost({ ...minute, config })
  const scenario = workloadOf({
    renders: 1,
    durationSeconds: 60,
    level: 'expected',
    targetChunkFrames: 120,
    maxParallelChunks: 100,
    fps: 30,
    width: 1920,
    height: 1080,
    format: 'mp4',
  })
  if ('problems' in scenario) throw new Error('the scenario was refused')
  const run = simulate({ workload: { ...scenario.workload, spread: 0 }, limits: noLimits })
  expect(run.usage.billedSeconds).toBeCloseTo(expected.billedSeconds, 6)
  expect(run.wallSeconds).toBeCloseTo(expected.seconds, 6)
  const prices = knownPrices.regions['us-east-1']
  expect(costOf(run.usage, { memoryMb: 10_240, storageMb: 10_240 }, prices ?? expect.fail()).usd).toBeCloseTo(
    expected.usd,
    9,
  )
})
