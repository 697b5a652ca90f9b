import { expect, test } from 'vitest'
import { createFrameRequests } from './frame-requests.ts'

const report = (frame: number) => ({ frame, gains: [], errors: [], approximate: [] })

test('of the frames that are asked for while one is shown, only the last is shown', async () => {
  const frames: number[] = []
  const waiting: (() => void)[] = []
  const requests = createFrameRequests({
    show: ({ frame }) => new Promise((resolve) => waiting.push(() => resolve(report(frame)))),
    onShow: ({ frame }) => void frames.push(frame),
  })
  const all = [1, 2, 3].map((frame) => requests.show({ frame, rate: 0 }))
  expect(requests.isBusy).toBe(true)
  waiting.shift()?.()
  await Promise.resolve()
  await expect.poll(() => waiting.length).toBe(1)
  waiting.shift()?.()
  await Promise.all(all)
  expect(frames).toEqual([1, 3])
  expect(requests.isBusy).toBe(false)
})

test('a frame that takes long is stopped by the next one, and only a frame that was not stopped can fail', async () => {
  const frames: number[] = []
  const requests = createFrameRequests({
    show({ frame }, signal) {
      if (frame === 9) return Promise.reject(new Error('it cannot be shown'))
      if (frame === 3) return Promise.resolve(report(3))
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
    onShow: ({ frame }) => void frames.push(frame),
  })
  const first = requests.show({ frame: 1, rate: 0 })
  await Promise.all([first, requests.show({ frame: 3, rate: 0 })])
  expect(frames).toEqual([3])
  await expect(requests.show({ frame: 9, rate: 0 })).rejects.toThrow('it cannot be shown')
})
