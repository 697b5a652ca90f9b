import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FrameCosts, type SimulatedRender, simulateRender } from './fixtures/simulated-render.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Page extends FrameCosts {
  readonly name: string
  readonly lookahead: number
}

const CARDS = { captureMs: 72, captureCores: 1.4 }
const DRAFT: Page = { name: 'cards at draft', ...CARDS, encodeMs: 14, lookahead: 4 }
/** What frames of 1920 × 1080 cost on one machine, as docs/benchmark.md has it; the last draws on one core only. */
const PAGES: readonly Page[] = [
  DRAFT,
  { name: 'cards at standard', ...CARDS, encodeMs: 70, lookahead: 44 },
  { name: 'footage at standard', captureMs: 55, captureCores: 1.6, encodeMs: 62, lookahead: 44 },
  { name: 'still slides at standard', captureMs: 5, captureCores: 1, encodeMs: 18, lookahead: 44 },
  { name: 'a page on one core at draft', captureMs: 70, captureCores: 1.05, encodeMs: 14, lookahead: 4 },
]

const SHORT = [90, 90]
/** Frames of the segments of a video of 6, 20 and 60 seconds. */
const LENGTHS = [SHORT, Array<number>(5).fill(120), Array<number>(15).fill(120)]

/** What a render takes that chooses its workers, with one worker, and with the best number of them. */
const compare = async (cores: number, page: Page, segments: readonly number[]) => {
  const max = Math.min(8, segments.length)
  const render: Omit<SimulatedRender, 'workers'> = { ...page, cores, segments }
  const fixed: number[] = []
  for (let workers = 1; workers <= max; workers++) fixed.push((await simulateRender({ ...render, workers })).wallMs)
  const chosen = await simulateRender({ ...render, workers: { max } })
  const one = fixed[0] ?? Number.NaN
  const best = Math.min(...fixed)
  return { toOne: chosen.wallMs / one, toBest: chosen.wallMs / best, workers: chosen.workers }
}

const compareAll = async (cores: number) => {
  const all: Awaited<ReturnType<typeof compare>>[] = []
  for (const page of PAGES) for (const segments of LENGTHS) all.push(await compare(cores, page, segments))
  return {
    meanToBest: all.reduce((sum, { toBest }) => sum + toBest, 0) / all.length,
    worstToBest: Math.max(...all.map(({ toBest }) => toBest)),
    worstToOne: Math.max(...all.map(({ toOne }) => toOne)),
    mostWorkers: Math.max(...all.map(({ workers }) => workers)),
  }
}

test.each([
  { cores: 1, meanToBest: 1, worstToBest: 1, mostWorkers: 1 },
  { cores: 2, meanToBest: 1.1, worstToBest: 1.3, mostWorkers: 3 },
  { cores: 4, meanToBest: 1.1, worstToBest: 1.4, mostWorkers: 6 },
  { cores: 8, meanToBest: 1.15, worstToBest: 1.3, mostWorkers: 8 },
  { cores: 16, meanToBest: 1.05, worstToBest: 1.1, mostWorkers: 8 },
])(
  'on $cores cores, the choice takes little longer than the best number of workers, and no longer than one',
  async ({ cores, ...limits }) => {
    const ratios = await compareAll(cores)
    for (const name of ['meanToBest', 'worstToBest', 'mostWorkers'] as const)
      expect(ratios[name], name).toBeLessThanOrEqual(limits[name])
    expect(ratios.worstToOne).toBeLessThanOrEqual(1.02)
  },
)

test('a render of two segments has its second worker at once on four cores, and soon on two', async () => {
  expect(await compare(4, DRAFT, SHORT)).toMatchObject({ workers: 2, toBest: 1 })
  const onTwo = await compare(2, DRAFT, SHORT)
  expect(onTwo.workers).toBe(2)
  expect(onTwo.toOne).toBeLessThan(0.93)
})

/** A second render of a page, of other segments, with what the first has measured. */
const renderAgain = async (cores: number, page: Page, segments: readonly number[]) => {
  const render = { ...page, cores, segments, workers: { max: Math.min(8, segments.length) } }
  const { costs } = await simulateRender({ ...render, segments: Array<number>(5).fill(120), workers: { max: 5 } })
  const before = await simulateRender(render)
  const after = await simulateRender({ ...render, ...(costs && { past: costs }) })
  return { before: before.wallMs, after: after.wallMs }
}

test('a page that was rendered before has its second worker from the start', async () => {
  const { before, after } = await renderAgain(2, DRAFT, SHORT)
  expect(after).toBeLessThan(before * 0.95)
  const { wallMs } = await simulateRender({ ...DRAFT, cores: 2, segments: SHORT, workers: 2 })
  expect(after).toBe(wallMs)
})

test.each([1, 2, 4, 8, 16])('on %i cores, no page takes longer because it was rendered before', async (cores) => {
  for (const page of PAGES)
    for (const segments of LENGTHS) {
      const { before, after } = await renderAgain(cores, page, segments)
      expect(after / before, `${page.name}, ${segments.length} segments`).toBeLessThanOrEqual(1.02)
    }
})

test('work is neither lost nor made: one core takes all the time that its frames cost', async () => {
  const costs = { captureMs: 40, captureCores: 1, encodeMs: 20, lookahead: 4 }
  const { wallMs } = await simulateRender({ ...costs, cores: 1, segments: [50, 50], workers: 1 })
  expect(wallMs).toBeGreaterThanOrEqual(800 + 100 * 60)
  expect(wallMs).toBeLessThan(800 + 100 * 60 + 100)
})
