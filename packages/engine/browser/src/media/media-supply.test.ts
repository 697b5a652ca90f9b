import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type AssetSite, createInputLog, openAssetSite } from '@vid/assets'
import type { RenderPlan } from '@vid/protocol'
import { findProjectFile } from '@vid/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip } from '../fixtures/clip.ts'
import { createMediaSupply, type MediaSupply } from './media-supply.ts'

const { signal } = new AbortController()
const cacheBefore = process.env.VID_CACHE_DIR
let folder: string
let media: MediaSupply
let site: AssetSite
let server: Server

const PLAN = { fps: 10, frames: 10 }

const ask = async (path: string) => {
  const { host } = new URL(site.origin)
  const { port } = server.address() as AddressInfo
  return new Promise<{ status: number | undefined; body: Buffer }>((done, fail) => {
    // A client that leaves the path as it is written.
    request({ host: '127.0.0.1', port, path, agent: false, headers: { host } }, async (response) =>
      done({ status: response.statusCode, body: await buffer(response) }),
    )
      .on('error', fail)
      .end()
  })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-supply-'))
  process.env.VID_CACHE_DIR = join(folder, 'cache')
  const projectDir = join(folder, 'project')
  await mkdir(projectDir)
  const file = join(projectDir, 'clip.mp4')
  const track = await makeClip(file, signal)
  media = createMediaSupply({
    inputs: createInputLog(),
    sources: { file: (src) => findProjectFile(projectDir, src) },
    signal,
    warn: () => {},
  })
  site = await openAssetSite({ root: projectDir, media: media.file })
  server = createServer(site.answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const plan = { ...PLAN, media: [track], audio: [] }
  await media.show(plan as unknown as RenderPlan, { start: 0, frames: 10, hold: false })
  // Files beside the frames, and frames of another composition.
  await copyFile(file, join(folder, 'secret.jpg'))
  await writeFile(join(folder, 'cache', 'frames', '0.jpg'), 'secret')
})
afterAll(async () => {
  server.close()
  await media.close()
  if (cacheBefore === undefined) delete process.env.VID_CACHE_DIR
  else process.env.VID_CACHE_DIR = cacheBefore
  await rm(folder, { recursive: true, force: true })
})

test('a frame of a registered source is served as an image', async () => {
  const { status, body } = await ask('/.vid/media/m0/5000.jpg')
  expect(status).toBe(200)
  expect([...body.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
})

test('a time stamp without a frame gets a frame of the same source', async () => {
  const near = await ask('/.vid/media/m0/5500.jpg')
  const last = await ask('/.vid/media/m0/99999999.jpg')
  expect(near.body.equals((await ask('/.vid/media/m0/5000.jpg')).body)).toBe(true)
  expect(last.body.equals((await ask('/.vid/media/m0/9000.jpg')).body)).toBe(true)
})

test.each([
  '/.vid/media/',
  '/.vid/media/m0',
  '/.vid/media/m0/',
  '/.vid/media/m1/0.jpg',
  '/.vid/media/m0/index.json',
  '/.vid/media/m0/../0.jpg',
  '/.vid/media/m0/..%2f0.jpg',
  '/.vid/media/m0/../../../../secret.jpg',
  '/.vid/media/m0/%2e%2e/%2e%2e/0.jpg',
  '/.vid/media/m0/0.jpg/../../../secret.jpg',
  '/.vid/media/m0/0.jpg%00.png',
  '/.vid/media/m0/0.jpg?file=../../secret.jpg',
  '/.vid/media/m__proto__/0.jpg',
  '/.vid/media//m0/0.jpg',
  '/.vid/media/../../secret.jpg',
  '/.vid/../clip.mp4/../../secret.jpg',
])('%s reaches nothing', async (path) => {
  const { status, body } = await ask(path)
  expect([400, 403, 404]).toContain(status)
  expect(body.toString()).not.toContain('secret')
})
