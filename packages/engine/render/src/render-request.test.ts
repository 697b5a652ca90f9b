import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkRequest, type RenderEvent } from '@vid/protocol'
import { expect, test } from 'vitest'
import { makeFolder } from './fixtures/project.ts'
import { type ForwardedRequest, renderRequest } from './render-request.ts'

/** A config that paints without a browser, delivers to an unrequested file, and has each target render elsewhere. */
const config = `
import { writeFile } from 'node:fs/promises'
const capture = {
  name: 'painter', role: 'capture', apiVersion: 1, options: {}, build: async () => '1',
  open: async ({ width, height }) => ({
    probe: async () => ({ duration: null, stateful: false }),
    async *frames({ start, frames }) {
      for (let index = start; index < start + frames; index += 1)
        yield { index, format: 'rgba', data: new Uint8Array(width * height * 4).fill(index) }
    },
    close: async () => {},
  }),
}
const encoder = {
  name: 'bytes', role: 'encoder', apiVersion: 1, options: {}, formats: ['mp4'], accepts: ['rgba'],
  encode: async (frames, { path }) => {
    const all = []
    for await (const { data } of frames) all.push(data[0])
    await writeFile(path, Buffer.from(all))
    return { file: path }
  },
  join: async (segments, _audio, { path }) => {
    const { readFile } = await import('node:fs/promises')
    await writeFile(path, Buffer.concat(await Promise.all(segments.map(({ file }) => readFile(file)))))
    return { path }
  },
}
const delivery = {
  name: 'elsewhere', role: 'delivery', apiVersion: 1, options: {},
  deliver: async () => writeFile(new URL('./delivered', import.meta.url), ''),
}
const farm = { name: 'farm', role: 'target', apiVersion: 1, options: {}, render: async () => { throw new Error('asked elsewhere') } }
export default {
  capture, encoders: [encoder], store: false, deliveries: [delivery], targets: { farm, local: farm }, target: 'farm',
  render: { fps: 60, crf: 20 },
}`

const forwarded = async (more: Partial<ForwardedRequest> = {}) => {
  const folder = await makeFolder({ 'config/vid.config.mjs': config })
  const projectDir = join(folder, 'intro')
  const request = checkRequest({ projectDir, output: '/nowhere/of/this/machine.mp4', format: 'mp4' })
  const path = join(folder, 'out', 'video.mp4')
  const events: RenderEvent[] = []
  const options = {
    signal: new AbortController().signal,
    onEvent: (event: RenderEvent) => events.push(event),
  }
  const forwarded: ForwardedRequest = {
    request,
    paths: [path],
    configDir: join(folder, 'config'),
    storeDir: folder,
    network: true,
    ...more,
  }
  return { folder, path, events, rendering: renderRequest(forwarded, options) }
}

test('a forwarded request is rendered here by the plugins of the config, and put where its sender wants it', async () => {
  const { path, rendering, events, folder } = await forwarded()
  // The rate is the request's, not that of the config.
  expect(await rendering).toMatchObject({ frames: 15, durationMs: 500, warnings: [] })
  expect(await readFile(path)).toHaveLength(15)
  expect(events.at(-1)).toMatchObject({ type: 'render-complete' })
  await expect(access(join(folder, 'config/delivered'))).rejects.toThrow('ENOENT')
})

test('without a network a request that allows it is not refused', async () => {
  const { rendering } = await forwarded({ network: false })
  expect(await rendering).toMatchObject({ frames: 15 })
})
