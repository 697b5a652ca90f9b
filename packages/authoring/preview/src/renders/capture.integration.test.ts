import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRenderer } from '@vid/render'
import { decodePng } from '@vid/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { atFileEnd } from '../../../../../scripts/dev/file-end.ts'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import type { CheckReply } from '../api.ts'
import { createPreview } from '../create-preview.ts'
import { asksOf, makeProject, openPreview, SQUARE, send } from '../fixtures/open-preview.ts'

const GLASS = SQUARE.replace('<p id="title"', '<p id="title" style="backdrop-filter:blur(1px);mix-blend-mode:multiply"')
const LATE = SQUARE.replace('<p id="title"', '<p id="title" style="mix-blend-mode:multiply"').replace(
  '</body>',
  `<script>
    const glass = [{ backdropFilter: 'none' }, { backdropFilter: 'blur(1px)' }]
    document.querySelector('#title').animate(glass, { duration: 1000, delay: 1000, fill: 'both' })
  </script></body>`,
)

/** A preview of a folder, whose composition each test writes: most of a short test is the start of a browser. */
const openShared = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-preview-test-'))
  await writeFile(join(folder, 'index.html'), SQUARE)
  const preview = await createPreview({ projectDir: folder, cwd: folder })
  atFileEnd(async () => {
    await preview.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { folder, ...asksOf(preview) }
}
let opening: ReturnType<typeof openShared> | undefined

/** What the real capture says of a composition. */
const checked = async (html: string) => {
  opening ??= openShared()
  const { folder, ask } = await opening
  await writeFile(join(folder, 'index.html'), html)
  const { status, text } = await ask('/api/check', { method: 'POST', body: { entry: 'index.html' } })
  return { status, reply: JSON.parse(text) as CheckReply }
}

test('a composition without faults is captured in the fast lane from its first frame to its last', async () => {
  const { status, reply } = await checked(SQUARE)
  expect(status).toBe(200)
  expect(reply.problems).toEqual([])
  expect(reply.frames).toEqual([0, 15, 30, 44, 59].map((frame) => ({ frame, lane: 'raster' })))
})

test('what makes the capture slower is a note that says why and what to do', async () => {
  const { reply } = await checked(GLASS)
  expect(new Set(reply.frames.map(({ lane }) => lane))).not.toContain('raster')
  expect(reply.problems).toMatchObject([
    { from: 'capture', severity: 'note', code: 'VID_LANE_FALLBACK', hint: expect.stringMatching(/faster/) },
  ])
  expect(reply.problems[0]?.message).toContain('backdrop-filter')
})

longTest('what leaves the fast lane later than the first frame is found too', async () => {
  const { reply } = await checked(LATE)
  expect(reply.problems.map(({ code }) => code)).toContain('VID_LANE_FALLBACK')
  expect(reply.frames.at(-1)?.lane).not.toBe('raster')
})

test('missing files and characters are warnings, errors of the composition a problem', async () => {
  const html = SQUARE.replace('>hi</p>', '>hi \u{12000}</p><img src="gone.png">')
  const { reply } = await checked(html)
  expect(reply.problems.map(({ code }) => code).sort()).toEqual(['VID_ASSET_FAILED', 'VID_LETTERS_MISSING'])
  const failed = await checked(SQUARE.replace('data-width="64"', 'data-width="wide"'))
  expect(failed).toMatchObject({
    status: 200,
    reply: { frames: [], problems: [{ severity: 'error', code: 'VID_COMPOSITION_NO_SIZE' }] },
  })
})

test('a frame is captured as a PNG, with the variables that were asked for, and without its back for alpha', async () => {
  const text = SQUARE.replace('"default":"hi"', '"default":"#ff0000"').replace(
    '</body>',
    `<i style="position:fixed;left:0;top:0;width:9px;height:9px"></i>
     <script>document.querySelector('i').style.background = __vid.getVariables().title</script></body>`,
  )
  const { page, cookie, ask } = await openPreview(await makeProject({ 'index.html': text }))
  const capture = async (body: object) => {
    const reply = await fetch(`${page}/api/frame`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ entry: 'index.html', frame: 59, ...body }),
    })
    expect(reply.headers.get('content-type')).toBe('image/png')
    const { width, height, data } = decodePng(new Uint8Array(await reply.arrayBuffer()))
    return { size: [width, height], first: [...data.slice(0, 4)], last: [...data.slice(-4)] }
  }
  const size = [64, 36]
  const white = [255, 255, 255, 255]
  expect(await capture({})).toEqual({ size, first: [255, 0, 0, 255], last: white })
  expect(await capture({ variables: { title: '#0000ff' } })).toMatchObject({ first: [0, 0, 255, 255] })
  expect(await capture({ alpha: true })).toMatchObject({ first: [255, 0, 0, 255], last: [0, 0, 0, 0] })
  const past = await ask('/api/frame', { method: 'POST', body: { entry: 'index.html', frame: 61 } })
  expect(past.text).toContain('VID_SNAPSHOT_TIME')
})

test('frames of one page, forwards and backwards, equal those of vid snapshot', async () => {
  const folder = await makeProject()
  const { page, cookie } = await openPreview(folder)
  const renderer = await createRenderer({ cwd: tmpdir() })
  onTestFinished(() => renderer.close())
  const frames = [59, 3, 40]
  const { snapshots } = await renderer.takeStills({
    projectDir: folder,
    output: join(folder, 'snapshots'),
    at: frames.map((frame) => `${frame}f`).join(','),
  })
  for (const [index, frame] of frames.entries()) {
    const reply = await fetch(`${page}/api/frame`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ entry: 'index.html', frame }),
    })
    const still = await readFile(snapshots[index]?.path ?? '')
    expect(decodePng(new Uint8Array(await reply.arrayBuffer()))).toEqual(decodePng(still))
  }
})

test('neither captures for another page, or without the cookie', async () => {
  const { page, cookie } = await openPreview(await makeProject())
  const body = { entry: 'index.html', frame: 0 }
  for (const path of ['/api/check', '/api/frame']) {
    expect((await send(`${page}${path}`, { method: 'POST', body })).status).toBe(401)
    const headers = { cookie, origin: 'http://localhost:1' }
    expect((await send(`${page}${path}`, { method: 'POST', body, headers })).status).toBe(403)
  }
})
