import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { VidError } from '@vid/protocol'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { nvidiaInfo } from '../fixtures/gpu-info.ts'
import { fakeTimers, passTimeUntil } from '../fixtures/passing-time.ts'
import { guardGpu } from './gpu-guard.ts'
import { readGpu } from './gpu-report.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A browser that draws on a GPU in this process, until it is changed. */
const createBrowser = () => {
  let processes: () => Promise<readonly number[]> = async () => [process.pid]
  let calls = 0
  const send = async (method: string) => {
    if (method === 'SystemInfo.getInfo') return { gpu: nvidiaInfo }
    calls += 1
    return { processInfo: (await processes()).map((id) => ({ type: 'GPU', id, cpuTime: 0 })) }
  }
  return {
    port: { send },
    asked: () => calls,
    draw(by: typeof processes) {
      processes = by
    },
  }
}

const watch = async (browser: ReturnType<typeof createBrowser>) => {
  const report = await readGpu(browser.port, 'vulkan')
  const losses: VidError[] = []
  const gpu = { backend: 'vulkan', name: 'name' in report ? report.name : '' } as const
  const guard = await guardGpu(browser, gpu, (error) => losses.push(error))
  onTestFinished(() => guard.close())
  return { guard, losses }
}

const loss = { code: 'VID_BROWSER_GPU_LOST', fault: 'machine' }

test('a process that draws in the place of another is a loss, which is reported without being asked for', async () => {
  vi.useFakeTimers()
  const browser = createBrowser()
  const { guard, losses } = await watch(browser)
  await vi.advanceTimersByTimeAsync(1000)
  expect(losses).toEqual([])
  expect(await guard.loss()).toBeUndefined()
  browser.draw(async () => [process.ppid])
  await vi.advanceTimersByTimeAsync(500)
  expect(losses).toEqual([expect.objectContaining(loss)])
  expect(await guard.loss()).toMatchObject(loss)
})

test('a process that has ended is a loss before the browser knows of it', async () => {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'])
  const browser = createBrowser()
  browser.draw(async () => [child.pid ?? 0])
  const { guard } = await watch(browser)
  expect(await guard.loss()).toBeUndefined()
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await guard.loss()).toMatchObject(loss)
})

test('a browser that does not answer is asked once at a time, and nothing is said to be alright', async () => {
  fakeTimers()
  const browser = createBrowser()
  const { guard, losses } = await watch(browser)
  const before = browser.asked()
  browser.draw(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(15_000)
  expect(browser.asked()).toBe(before + 1)
  const answer = guard.loss()
  const asking = expect(answer).rejects.toMatchObject({
    ...loss,
    message: expect.stringContaining('answer'),
  })
  await passTimeUntil(answer)
  await asking
  expect(losses).toEqual([])
})
