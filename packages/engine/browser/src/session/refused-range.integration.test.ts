import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RenderPlan } from '@vid/protocol'
import { findProjectFile } from '@vid/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip } from '../fixtures/clip.ts'
import { DRAWN_WRONGLY } from '../fixtures/pictures.ts'
import { changePort, makeProject, openSession, pageOf } from '../fixtures/session.ts'
import { findBrowser } from '../index.ts'

const FRAMES = 4
const { signal } = new AbortController()
const cacheBefore = process.env.VID_CACHE_DIR
let cache: string
let executable: Awaited<ReturnType<typeof findBrowser>>

beforeAll(async () => {
  // Unpacked in the usual cache, which lists the fonts of the machine.
  executable = await findBrowser()
  cache = await mkdtemp(join(tmpdir(), 'vid-refused-'))
  process.env.VID_CACHE_DIR = cache
})
afterAll(async () => {
  if (cacheBefore === undefined) delete process.env.VID_CACHE_DIR
  else process.env.VID_CACHE_DIR = cacheBefore
  await rm(cache, { recursive: true, force: true })
})

/** A page with a video, and with generated content that the raster lane draws wrongly. */
const page = pageOf(`<video src="clip.mp4" width="64" height="36" data-start="0" data-duration="1" muted></video>
  <b style="position:absolute;left:100px;top:50px;width:80px;height:80px;background:red"></b>
  <script>addEventListener('vid-seek', () => {
    if (globalThis.broken) return
    globalThis.broken = true
    document.styleSheets[0].insertRule('${DRAWN_WRONGLY}')
  })</script>`)

/** Captures the page, and returns the formats of its frames with the roles in which its pages share pictures. */
const capture = async (projectDir: string, plan: RenderPlan) => {
  const roles: string[] = []
  const driver = changePort(({ send, on }) => ({
    on,
    send(method, params) {
      const expression = String(params?.expression)
      if (expression.includes('showMedia')) roles.push(/"role":"(\w+)"/.exec(expression)?.[1] ?? 'alone')
      return send(method, params)
    },
  }))
  const sources = { file: (src: string) => findProjectFile(projectDir, src) }
  const { session } = await openSession({}, { projectDir, sources, driver, executable })
  const formats: string[] = []
  for await (const { format } of session.frames({ index: 0, start: 0, frames: FRAMES }, ['rgba', 'png'], plan))
    formats.push(format)
  return { formats, roles }
}

test('screenshots of a refused range wait for no pictures of a page that captures nothing', async () => {
  const projectDir = await makeProject({ 'index.html': page })
  const track = await makeClip(join(projectDir, 'clip.mp4'), signal)
  const plan = { fps: 30, frames: FRAMES, videoFrameFormat: 'auto', media: [track], audio: [] } as unknown as RenderPlan
  await expect(capture(projectDir, plan)).rejects.toMatchObject({ code: 'VID_LANE_UNFIT' })
  const { formats, roles } = await capture(projectDir, plan)
  expect(formats).toEqual(Array(FRAMES).fill('png'))
  expect(roles).toEqual(['alone'])
})
