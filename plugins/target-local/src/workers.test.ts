import { expect, test } from 'vitest'
import { firstWorkers, hasMemoryToHold, loadOfShare, maxWorkers, worthwhileWorkers } from './workers.ts'

const GIB = 2 ** 30

test('auto allows as many workers as fit in memory, up to eight', () => {
  expect([1, 2, 4, 8, 64].map((gib) => maxWorkers('auto', 100, gib * GIB))).toEqual([1, 1, 2, 5, 8])
})

test('a requested number of workers is limited only by the number of segments', () => {
  expect(maxWorkers(8, 100, 1 * GIB)).toBe(8)
  expect(maxWorkers(8, 3, 64 * GIB)).toBe(3)
  expect(maxWorkers('auto', 3, 64 * GIB)).toBe(3)
})

test('a render starts with as many workers as keep its cores busy, and fewer where each draws frames again', () => {
  const on = [0.5, 1, 2, 3.5, 4, 8, 64]
  expect(on.map((cores) => firstWorkers(8, cores))).toEqual([1, 1, 1, 1, 2, 4, 8])
  expect(on.map((cores) => firstWorkers(8, cores, { stateful: true }))).toEqual([1, 1, 1, 1, 1, 2, 4])
  expect(firstWorkers(1, 64)).toBe(1)
})

test('a short clip starts with as many workers as capture slices sooner than their pages open', () => {
  const hd = { pixels: 1920 * 1080 }
  const on = (cores: number, frames: number[], page = hd) =>
    worthwhileWorkers(
      firstWorkers(8, cores),
      cores,
      frames.map((count) => ({ frames: count })),
      page,
    )
  expect([1, 2, 4, 8, 16].map((cores) => on(cores, [120]))).toEqual([1, 1, 2, 4, 8])
  expect([1, 2, 4, 8, 16].map((cores) => on(cores, [12]))).toEqual([1, 1, 1, 1, 1])
  expect(on(8, [60], { pixels: 640 * 360 })).toBe(1)
  expect(on(8, Array(14).fill(120))).toBe(4)
  expect(on(16, [120, 120, 60])).toBe(8)
})

test('a page with WebGL starts with one worker, gets fewer of them, and no second one when it is replayed', () => {
  const webgl = { stateful: false, drawsWebgl: true }
  expect([1, 2, 4, 8, 64].map((gib) => maxWorkers('auto', 100, gib * GIB, webgl))).toEqual([1, 1, 1, 2, 8])
  expect(firstWorkers(8, 64, webgl)).toBe(1)
  expect(maxWorkers('auto', 100, 64 * GIB, { stateful: true, drawsWebgl: true })).toBe(1)
  expect(maxWorkers(4, 100, 64 * GIB, { stateful: true, drawsWebgl: true })).toBe(4)
  expect(maxWorkers('auto', 100, 64 * GIB, { stateful: true })).toBe(8)
})

test('of a picture larger than 1080p, fewer workers fit in memory', () => {
  const pageOf = (width: number, height: number) => ({ pixels: width * height })
  expect([pageOf(1280, 720), pageOf(1920, 1080)].map((page) => maxWorkers('auto', 100, 10 * GIB, page))).toEqual([7, 7])
  expect(maxWorkers('auto', 100, 10 * GIB, pageOf(3840, 2160))).toBe(3)
  expect(maxWorkers(5, 100, 1 * GIB, pageOf(3840, 2160))).toBe(5)
  expect([pageOf(1920, 1080), pageOf(3840, 2160)].map((page) => hasMemoryToHold(1, 2 * GIB, page))).toEqual([
    true,
    false,
  ])
})

test('a worker captures ahead of its encoder only where there is memory for what it holds', () => {
  expect([1, 2, 4].map((gib) => hasMemoryToHold(1, gib * GIB))).toEqual([false, true, true])
  expect([1, 2, 4].map((workers) => hasMemoryToHold(workers, 4 * GIB))).toEqual([true, true, false])
})

test('renders that share a machine take no more workers together than fit in its cores and its memory', () => {
  const shared = (renders: number, gib: number, cores: number) =>
    renders * maxWorkers('auto', 100, (gib * GIB) / renders, {}, cores / renders)
  expect([1, 2, 4].map((renders) => shared(renders, 64, 16))).toEqual([8, 8, 8])
  expect([1, 2, 4].map((renders) => shared(renders, 8, 16))).toEqual([5, 4, 4])
  // A requested number is the caller's decision, and every render has a worker.
  expect(maxWorkers(6, 100, GIB, {}, 1)).toBe(6)
  expect(maxWorkers('auto', 100, GIB, {}, 0.5)).toBe(1)
})

test('the load of a share of the cores is that share of the whole load', () => {
  expect(loadOfShare({ cores: 16, busy: 5 }, 16)).toEqual({ cores: 16, busy: 5 })
  expect(loadOfShare({ cores: 16, busy: 8 }, 8)).toEqual({ cores: 8, busy: 4 })
})
