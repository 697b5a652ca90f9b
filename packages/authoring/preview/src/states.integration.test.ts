import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import type { CheckReply, Job } from './api.ts'
import type { Operation } from './edit-api.ts'
import type { ChangesReply, FindingsReply } from './findings-api.ts'
import { makeProject, openPreview } from './fixtures/open-preview.ts'

const entry = 'index.html'

const PAGE = `<!doctype html>
<style>body { margin: 0 } p { position: absolute; margin: 0; left: 0; top: 0; width: 32px; height: 36px }</style>
<div data-composition-id="film" data-width="64" data-height="36" data-duration="0.4">
  <p id="box" data-start="0" data-duration="0.2" style="background: #ff0000"></p>
</div>
<script src="node_modules/paints/paint.js"></script>
`

const PAINT = "document.querySelector('div').style.background = '#0000ff'"

/** A project whose page needs a package, beside one that it does not name. */
const makePainted = () =>
  makeProject({
    [entry]: PAGE,
    'node_modules/paints/paint.js': PAINT,
    'node_modules/unused/index.js': 'throw new Error()',
  })

const green = { op: 'style', target: '#box', property: 'background', value: '#00ff00' } as const

/** Opens a preview of a folder, and the calls of its page. */
const openStates = async (folder: string) => {
  const preview = await openPreview(folder)
  const post = async <T>(path: string, body: object = {}): Promise<T> => {
    const { status, text } = await preview.ask(path, { method: 'POST', body: { entry, ...body } })
    expect([status, text]).toEqual([200, text])
    return JSON.parse(text)
  }
  return {
    ...preview,
    post,
    stage: (...operations: readonly Operation[]) => post('/api/edit/stage', { operations }),
    /** Colour of the exact frame 0 in the box and beside it. */
    async colours(state?: string) {
      const body = JSON.stringify({ entry, frame: 0, ...(state && { state }) })
      const response = await fetch(`${preview.page}/api/frame`, {
        method: 'POST',
        headers: { cookie: preview.cookie, 'content-type': 'application/json' },
        body,
      })
      expect(response.status).toBe(200)
      const { width, data } = decodePng(new Uint8Array(await response.arrayBuffer()))
      const at = (x: number) => [...data.slice((10 * width + x) * 4, (10 * width + x) * 4 + 3)]
      return [at(10), at(50)]
    },
  }
}

const RED = [255, 0, 0]
const GREEN = [0, 255, 0]
const BLUE = [0, 0, 255]

test('an exact frame is of the staged state, with the packages that the page names, and of the written one on request', async () => {
  const folder = await makePainted()
  const { colours, stage, post } = await openStates(folder)
  expect(await colours()).toEqual([RED, BLUE])
  await stage(green)
  expect(await colours()).toEqual([GREEN, BLUE])
  expect(await colours('written')).toEqual([RED, BLUE])
  expect(await readFile(join(folder, entry), 'utf8')).toBe(PAGE)
  await post('/api/edit/write')
  expect(await colours('written')).toEqual([GREEN, BLUE])
  expect((await stat(join(folder, 'node_modules/paints/paint.js'))).nlink).toBe(1)
})

test('an exact frame of the staged state has files that another program has just saved', async () => {
  const folder = await makePainted()
  const { colours, stage } = await openStates(folder)
  await stage(green)
  expect(await colours()).toEqual([GREEN, BLUE])
  await writeFile(join(folder, entry), PAGE.replace('left: 0;', 'left: 32px;'))
  expect(await colours()).toEqual([BLUE, GREEN])
  await writeFile(join(folder, entry), PAGE)
  expect(await colours('written')).toEqual([RED, BLUE])
})

test('the frames that differ are found between what is staged and what is written, and since the last commit', async () => {
  const folder = await makePainted()
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: folder })
  git('init', '-q')
  git('add', entry)
  git('commit', '-qm', 'a')
  const { post, stage } = await openStates(folder)
  expect(await post<ChangesReply>('/api/changes', { since: 'head' })).toMatchObject({ differing: 0, error: null })
  await stage(green)
  expect(await post<ChangesReply>('/api/changes', { since: 'written' })).toMatchObject({
    before: 'written',
    after: 'staged',
    frames: 12,
    differing: 6,
    error: null,
    intervals: [{ start: 0, end: 6, elements: ['#box'] }],
  })
  await post('/api/edit/write')
  expect(await post<ChangesReply>('/api/changes', { since: 'written' })).toMatchObject({
    after: 'written',
    differing: 0,
  })
  expect(await post<ChangesReply>('/api/changes', { since: 'head' })).toMatchObject({
    before: 'head',
    differing: 6,
    intervals: [{ start: 0, end: 6 }],
  })
})

test('without a repository, the reply says why nothing is compared', async () => {
  const { ask } = await openStates(await makePainted())
  const { status, text } = await ask('/api/changes', { method: 'POST', body: { entry, since: 'head' } })
  expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: 'VID_DIFF_REVISION' } }])
})

const TEXT = `<!doctype html>
<body style="margin:0;background:#fff">
<div data-composition-id="film" data-width="640" data-height="360" data-duration="0.4">
  <h1 id="title" data-start="0" data-duration="0.4" style="position:absolute;left:40px;top:40px;margin:0;color:#222;font:60px Inter">Readable</h1>
</div></body>
`

test('findings are those of the staged state, with the levels of the config and without those of the baseline', async () => {
  const config = JSON.stringify({ check: { contrast: 'warning' } })
  const folder = await makeProject({ [entry]: TEXT, 'vid.config.json': config })
  const { post, stage } = await openStates(folder)
  const contrasts = async () => {
    const reply = await post<FindingsReply>('/api/findings')
    return { ...reply, findings: reply.findings.filter(({ rule }) => rule === 'contrast') }
  }
  expect(await contrasts()).toMatchObject({ state: 'written', findings: [], error: null })
  await stage({ op: 'style', target: '#title', property: 'color', value: '#ddd' })
  const { state, findings, ignored } = await contrasts()
  expect({ state, ignored }).toEqual({ state: 'staged', ignored: 0 })
  expect(findings).toMatchObject([{ level: 'warning', where: { element: '#title', file: entry, line: 4 } }])
  const [finding] = findings
  const baseline = {
    version: 1,
    findings: [
      {
        rule: 'contrast',
        element: '#title',
        message: finding?.message.replace(/#[0-9a-f]{6}\b|\d+(?:\.\d+)?/g, '#'),
      },
    ],
  }
  await writeFile(join(folder, 'check-baseline.json'), JSON.stringify(baseline))
  await expect.poll(async () => (await contrasts()).baselined).toBe(1)
  expect((await contrasts()).findings).toEqual([])
})

test('renders and checks by a real capture are of the staged state, and say so', async () => {
  const folder = await makePainted()
  const { post, stage, ask } = await openStates(folder)
  expect(await post<CheckReply>('/api/check')).toMatchObject({ state: 'written', problems: [] })
  await stage(green, { op: 'set', target: '#box', name: 'data-duration', value: '0.4' })
  expect(await post<CheckReply>('/api/check')).toMatchObject({ state: 'staged', problems: [] })
  const { id } = await post<Job>('/api/jobs', { format: 'png-sequence', from: '0.3s', to: '10f' })
  const job = async (): Promise<Job> => JSON.parse((await ask(`/api/jobs/${id}`)).text)
  await expect.poll(async () => (await job()).state).toBe('completed')
  const { source, folder: place, files } = await job()
  expect(source).toBe('staged')
  const frames = join(folder, place ?? '', files[0]?.name ?? '')
  const [first = ''] = (await readdir(frames)).sort()
  const { width, data } = decodePng(await readFile(join(frames, first)))
  expect([...data.slice((10 * width + 10) * 4, (10 * width + 10) * 4 + 3)]).toEqual(GREEN)
})

test('a link that leaves the project is in no copy of it', async () => {
  const folder = await makePainted()
  const secret = await makeProject({ 'secret.css': '#box { background: #0ff !important }' })
  await symlink(join(secret, 'secret.css'), join(folder, 'style.css'))
  await mkdir(join(folder, '.hidden'))
  await writeFile(join(folder, entry), PAGE.replace('<style>', '<link rel="stylesheet" href="style.css"><style>'))
  const { colours, stage } = await openStates(folder)
  await stage(green)
  expect(await colours()).toEqual([GREEN, BLUE])
})
