import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import { chromiumDriver } from '../fixtures/chromium-driver.ts'
import { frameNumberPage, makeProject, openSession, pageOf, pixelAt, take } from '../fixtures/session.ts'
import { type CdpPort, findBrowser, type PageDriver } from '../index.ts'
import type { Gpu } from '../launch/gpu-guard.ts'
import { findGpu } from './find-gpu.ts'

const signal = new AbortController().signal

/** The processor in the place of a GPU, through all that a GPU's pictures go through. */
const swiftshader = async (driver: PageDriver = chromiumDriver): Promise<Gpu> => {
  const { gpu } = await findGpu({ driver, executable: await findBrowser(), signal }, 'swiftshader')
  if (!gpu) throw new Error('SwiftShader does not draw the known page')
  return gpu
}

/** A driver whose browsers get another command line. */
const changeFlags = (change: (args: readonly string[]) => readonly string[]): PageDriver => ({
  launch: (options) => chromiumDriver.launch({ ...options, args: change(options.args) }),
})

/** A driver that gives out the port of the browser that it launched last. */
const portedDriver = () => {
  let port: Awaited<ReturnType<PageDriver['launch']>>['port']
  const driver: PageDriver = {
    async launch(options) {
      const browser = await chromiumDriver.launch(options)
      port = browser.port
      return browser
    },
  }
  /** One that always says that this process draws. */
  const unaware: PageDriver = {
    async launch(options) {
      const browser = await driver.launch(options)
      const send: CdpPort['send'] = (method, params) =>
        method === 'SystemInfo.getProcessInfo'
          ? Promise.resolve({ processInfo: [{ type: 'GPU', id: process.pid }] })
          : (browser.port?.send(method, params) ?? Promise.reject(new Error('no port')))
      return { ...browser, port: { send } }
    },
  }
  const processes = async () => {
    const answer = (await port?.send('SystemInfo.getProcessInfo')) as {
      readonly processInfo: readonly { readonly type: string; readonly id: number }[]
    }
    return answer.processInfo
  }
  /** Kills the process that draws. */
  const killGpu = async () => {
    const pid = (await processes()).find(({ type }) => type === 'GPU')?.id
    if (pid === undefined) throw new Error('the browser has no process that draws')
    process.kill(pid, 'SIGKILL')
  }
  return { driver, unaware, killGpu }
}

test('a GPU that draws the known page as the processor does is named by what the browser says of it', async () => {
  const gpu = await swiftshader()
  expect(gpu.backend).toBe('swiftshader')
  expect(gpu.name).toMatch(/SwiftShader.*, driver SwANGLE [\d.]+, Ganesh/)
})

longTest('one that draws the known page otherwise is not used', async () => {
  // Leaves 16 steps of each colour in what a screenshot shows.
  const driver = changeFlags((args) => [
    ...args.filter((arg) => arg !== '--disable-rgba-4444-textures'),
    '--enable-rgba-4444-textures',
  ])
  const gpu = await findGpu({ driver, executable: await findBrowser(), signal }, 'swiftshader')
  expect(gpu.tried).toEqual([{ backend: 'swiftshader', reason: expect.stringMatching(/dB PSNR/) }])
})

test('a way that reaches only a processor, or nothing, is not used', async () => {
  const softwareDriver = changeFlags((args) =>
    args.map((arg) => (arg === '--use-angle=vulkan' ? '--use-angle=swiftshader' : arg)),
  )
  const driver = changeFlags((args) => args)
  const executable = await findBrowser()
  const { tried } = await findGpu({ driver: softwareDriver, executable, signal }, 'vulkan')
  expect(tried).toEqual([{ backend: 'vulkan', reason: expect.stringMatching(/SwiftShader.* is software$/) }])
  const stopped = findGpu({ driver, executable, signal: AbortSignal.abort() }, 'vulkan')
  await expect(stopped).rejects.toThrow()
})

test('a page is drawn in the raster lane on a GPU, with and without alpha, alike in two sessions', async () => {
  const gpu = await swiftshader()
  const page = pageOf(
    '<i id="half"></i>',
    '#root { background: none } #half { position: absolute; inset: 0 50% 0 0; background: #93f6 }',
  )
  const draw = async (alpha: boolean) => {
    const { session, warnings } = await openSession(page, { gpu, alpha, lane: 'raster' })
    const [frame] = await take(session, 0, 1, 'rgba')
    expect(warnings).toEqual([])
    return frame?.data ?? new Uint8Array()
  }
  const pictures = [await draw(true), await draw(true), await draw(false)] as const
  const digests = pictures.map((pixels) => createHash('sha256').update(pixels).digest('hex'))
  expect(digests[1]).toBe(digests[0])
  const [red, , blue, alpha] = pixelAt(pictures[0], 80, 90)
  expect([red, blue, alpha].map((value) => Math.round((value ?? 0) / 4))).toEqual([38, 64, 26])
  expect(pixelAt(pictures[0], 240, 90)).toEqual([0, 0, 0, 0])
  expect(pixelAt(pictures[2], 240, 90)).toEqual([255, 255, 255, 255])
})

test('frames whose GPU ends are lost, and another session draws the page in the same lane with the same bytes', async () => {
  const gpu = await swiftshader()
  const { driver, killGpu } = portedDriver()
  const projectDir = await makeProject({ 'index.html': frameNumberPage() })
  const draw = async (killedAt?: number) => {
    const { session, warnings } = await openSession(frameNumberPage(), { driver, gpu, projectDir })
    const pictures: string[] = []
    try {
      for await (const { index, data } of session.frames({ index: 0, start: 0, frames: 30 }, ['rgba'])) {
        pictures.push(createHash('sha256').update(data).digest('hex'))
        if (index === killedAt) await killGpu()
      }
    } finally {
      await session.close()
      expect(warnings).toEqual([])
    }
    return pictures
  }
  const expected = await draw()
  expect(new Set(expected).size).toBe(30)
  // The first frame is compared with a screenshot while the next are drawn; with the last one, the session is over.
  for (const frame of [0, 28])
    await expect(draw(frame)).rejects.toMatchObject({ code: 'VID_BROWSER_GPU_LOST', fault: 'machine' })
  expect(await draw()).toEqual(expected)
})

longTest('a canvas knows that its picture was lost, and its page is not refused for it', async () => {
  const gpu = await swiftshader()
  const { unaware, killGpu } = portedDriver()
  const projectDir = await makeProject({ 'index.html': frameNumberPage() })
  const open = () => openSession(frameNumberPage(), { driver: unaware, gpu, projectDir, livenessMs: 2500 })
  const { session, warnings } = await open()
  const read = async () => {
    for await (const { index } of session.frames({ index: 0, start: 0, frames: 30 }, ['rgba']))
      if (index === 3) await killGpu()
  }
  await expect(read()).rejects.toMatchObject({
    code: 'VID_BROWSER_GPU_LOST',
    message: expect.stringContaining('the GPU lost the picture'),
  })
  await session.close()
  const again = await open()
  expect(await take(again.session, 0, 2, 'rgba')).toHaveLength(2)
  expect([...warnings, ...again.warnings]).toEqual([])
})

test('a browser that draws on another GPU than the one in the plan captures nothing', async () => {
  const sessionStart = openSession(frameNumberPage(), { gpu: { backend: 'swiftshader', name: 'another' } })
  const frames = sessionStart.then(({ session }) => take(session, 0, 1, 'rgba'))
  await expect(frames).rejects.toMatchObject({
    code: 'VID_BROWSER_GPU_LOST',
    message: expect.stringMatching(/now draws on .*SwiftShader/),
  })
})
