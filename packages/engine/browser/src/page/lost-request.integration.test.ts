import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { chromiumDriver } from '../fixtures/chromium-driver.ts'
import { changePort, frameNumberPage, openSession, take } from '../fixtures/session.ts'
import { findGpu } from '../gpu/find-gpu.ts'
import { findBrowser } from '../index.ts'

const signal = new AbortController().signal

/** A driver whose pages never answer their first `lost` requests for a picture. */
const losingDriver = (lost: number) => {
  let requests = 0
  const driver = changePort(({ send, on }) => ({
    on,
    send(method, params) {
      if (method === 'Page.captureScreenshot') requests += 1
      const isLost = method === 'Page.captureScreenshot' && requests <= lost
      return isLost ? new Promise(() => undefined) : send(method, params)
    },
  }))
  return { driver, requests: () => requests }
}

const digestsOf = async (driver: ReturnType<typeof losingDriver>['driver']) => {
  const { session, warnings } = await openSession(frameNumberPage(), { driver, lane: 'screenshot' })
  const frames = await take(session, 0, 2, 'png')
  expect(warnings).toEqual([])
  return frames.map(({ data }) => createHash('sha256').update(data).digest('hex'))
}

test('a picture that the browser never answers is asked for again, and is the same', async () => {
  const losing = losingDriver(1)
  const digests = await digestsOf(losing.driver)
  expect(losing.requests()).toBe(3)
  expect(digests).toEqual(await digestsOf(chromiumDriver))
})

test('a browser on a GPU that never draws has lost the GPU, and one without fails at the frame', async () => {
  const { gpu } = await findGpu({ driver: chromiumDriver, executable: await findBrowser(), signal }, 'swiftshader')
  const { driver } = losingDriver(Number.POSITIVE_INFINITY)
  const read = async (options: object) => {
    const { session } = await openSession(frameNumberPage(), { driver, livenessMs: 2500, ...options })
    return take(session, 0, 2, 'rgba')
  }
  await expect(read({ gpu })).rejects.toMatchObject({
    code: 'VID_BROWSER_GPU_LOST',
    fault: 'machine',
    message: expect.stringContaining('did not finish drawing frame 0 within 2.5 s'),
  })
  await expect(read({ lane: 'raster' })).rejects.toMatchObject({ code: 'VID_FRAME_NOT_DRAWN' })
})
