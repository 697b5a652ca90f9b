import { expect, test } from 'vitest'
import { findFfmpeg } from '../tools/find.ts'
import { findHardware } from './hardware.ts'

const tools = await findFfmpeg()
const { signal } = new AbortController()
const plain = { device: [], upload: [] }

test('the first hardware encoder that works is found', async () => {
  const node = { device: ['-vaapi_device', '/dev/dri/no-such-node'], upload: [] }
  const kinds = { h264_no_such: plain, h264_vaapi: node, mpeg4: plain, libx264: plain }
  expect(await findHardware(tools, signal, kinds)).toEqual({ encoder: 'mpeg4' })
})

test('when none works, each has its reason', async () => {
  const kinds = {
    h264_no_such: plain,
    h264_vaapi: { device: ['-vaapi_device', '/dev/dri/no-such-node'], upload: [] },
    // Exists in every build, and cannot encode these frames.
    libx264: { device: [], upload: ['format=gray16be', 'no_such_filter'] },
  }
  expect(await findHardware(tools, signal, kinds)).toEqual({
    tried: [
      { name: 'h264_no_such', reason: 'this ffmpeg does not have it' },
      { name: 'h264_vaapi', reason: '/dev/dri/no-such-node does not exist or cannot be opened' },
      { name: 'libx264', reason: expect.stringContaining('no_such_filter') },
    ],
  })
})

test("an aborted search rejects with the signal's reason", async () => {
  const stopped = AbortSignal.abort(new Error('enough'))
  await expect(findHardware(tools, stopped)).rejects.toThrow('enough')
})
