import { defineCapture } from '@vid/kernel'
import { checkRequest, type RenderRequestInput } from '@vid/protocol'
import { expect, test } from 'vitest'
import { rasterText } from './raster-text.ts'

const engineOf = (reason?: string) =>
  defineCapture({
    name: 'test-capture',
    build: async (_context, settings = {}) =>
      settings.raster === 'native' ? 'shell 1, raster x86-64-v3 GenuineIntel 6, no GPU' : 'shell 1',
    settings: async ({ raster }, { note }) => {
      if (raster === 'portable') return {}
      if (reason === undefined) return { raster: 'native' }
      if (raster === 'native') throw new Error(reason)
      note?.(`raster portable: ${reason}`)
      return {}
    },
    open: () => Promise.reject(new Error('nothing is captured')),
  })()

const textOf = (raster: RenderRequestInput['raster'], capture = engineOf()) =>
  rasterText({
    capture,
    request: checkRequest({ projectDir: '/project', output: '/project/out.mp4', ...(raster && { raster }) }),
    folder: '/project',
    signal: new AbortController().signal,
  })

test('the instruction sets of the processor are named, and why they draw', async () => {
  expect(await textOf(undefined)).toMatch(/^native, which is fastest: x86-64-v3 GenuineIntel 6; --raster portable/)
  expect(await textOf('native')).toMatch(/^native, as asked for: x86-64-v3 GenuineIntel 6;/)
})

test('what every processor has is drawn with where that is asked for, or the others are not known', async () => {
  expect(await textOf('portable')).toMatch(/^portable, as asked for/)
  const unknown = engineOf('the processors of this machine differ')
  expect(await textOf('auto', unknown)).toBe('portable: the processors of this machine differ')
  await expect(textOf('native', unknown)).rejects.toThrow('the processors of this machine differ')
})

test('an engine without that choice says nothing', async () => {
  const { settings: _, ...engine } = engineOf()
  expect(await textOf('auto', engine)).toBeUndefined()
})
