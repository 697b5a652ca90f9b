import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import analysisCommands from '@vid/analysis/commands'
import checkCommands from '@vid/check/commands'
import { findPreview, openPreviewLink } from '@vid/edit'
import editCommands from '@vid/edit/commands'
import { runInFolder } from '@vid/testkit'
import { expect, test } from 'vitest'
import type { EditState } from './edit-api.ts'
import { makeProject, openPreview } from './fixtures/open-preview.ts'

const entry = 'index.html'

const PAGE = `<!doctype html><meta charset="utf-8">
<style>#root { background: #fff; font: 24px sans-serif } p { position: absolute; left: 20px; top: 20px; margin: 0 }</style>
<div id="root" data-composition-id="film" data-width="320" data-height="180" data-duration="1">
  <p id="dim" style="color: #eeeeee" data-start="0" data-duration="1">Faint</p>
</div>
`

const commands: readonly Parameters<typeof runInFolder>[0][] = [...analysisCommands, ...checkCommands, ...editCommands]

const vid = async (folder: string, path: string, ...words: string[]) => {
  const command = commands.find((other) => other.path === path)
  if (!command) throw new Error(`there is no ${path}`)
  const { code, stdout, stderr } = await runInFolder(command, folder, ...words, '--json')
  return { code, stderr, event: JSON.parse(stdout || '{}') }
}

/** Stages a dark colour and a later start as an assistant does. */
const stageMend = (folder: string, ...words: string[]) =>
  vid(
    folder,
    'edit apply',
    '--operations',
    JSON.stringify([
      { op: 'style', target: '#dim', property: 'color', value: '#111111' },
      { op: 'move', target: '#dim', to: 0.5 },
    ]),
    '--as',
    'helper',
    ...words,
  )

const openComposition = async () => {
  const folder = await makeProject({ [entry]: PAGE, 'vid.config.json': '{ "check": { "contrast": "warning" } }' })
  const preview = await openPreview(folder)
  const state = async (name = entry) => JSON.parse((await preview.ask(`/api/edit?entry=${name}`)).text) as EditState
  return { ...preview, folder, state }
}

const rulesOf = ({ event }: Awaited<ReturnType<typeof vid>>) =>
  event.findings.map(({ rule, level }: { rule: string; level: string }) => `${level} ${rule}`)

test('check, timeline and diff look at what is staged on request, and say so', async () => {
  const { folder } = await openComposition()
  const check = (...words: string[]) => vid(folder, 'check', '--rule', 'contrast', ...words)
  // Nothing is staged yet.
  const before = await check('--state', 'staged')
  expect([rulesOf(before), before.event.state]).toEqual([['warning contrast'], undefined])
  expect((await stageMend(folder)).event).toMatchObject({ staged: true })
  const staged = await check('--state', 'staged')
  expect([rulesOf(staged), staged.event.state]).toEqual([[], 'staged'])
  const files = await check()
  expect([rulesOf(files), files.event.state]).toEqual([['warning contrast'], undefined])
  const timeline = await vid(folder, 'timeline', '--state', 'staged')
  expect(timeline.event).toMatchObject({ state: 'staged', clips: [{ start: 0.5, file: entry }] })
  const diff = await vid(folder, 'diff', '.', '.', '--state', 'staged')
  expect(diff.event).toMatchObject({ state: 'staged', before: '.', after: '. as staged', frames: 30, differing: 30 })
  expect((await vid(folder, 'diff', '.', '.')).event).toMatchObject({ after: '.', differing: 0 })
}, 240_000)

test('the level of a config beside the project counts for what is staged too', async () => {
  const { folder } = await openComposition()
  const pale = [{ op: 'style', target: '#dim', property: 'color', value: '#dddddd' }]
  await vid(folder, 'edit apply', '--operations', JSON.stringify(pale), '--as', 'helper')
  const { event } = await vid(folder, 'check', '--rule', 'contrast', '--state', 'staged')
  expect([event.state, event.findings]).toMatchObject(['staged', [{ level: 'warning', where: { file: entry } }]])
}, 120_000)

test('a leased folder stays as it is until it is released, and is lost with its preview', async () => {
  const { folder, preview } = await openComposition()
  await stageMend(folder)
  const composition = await findPreview({ dir: folder, entry }, undefined)
  if (!composition) throw new Error('no preview was found')
  const link = openPreviewLink(composition.note, new AbortController().signal)
  const leased = await link.leaseStaged(entry)
  if (!leased) throw new Error('nothing is staged')
  expect(await readFile(join(leased.dir, entry), 'utf8')).toContain('data-start="0.5"')
  expect(leased.lost.aborted).toBe(false)
  const lost = new Promise<unknown>((resolve) => {
    leased.lost.addEventListener('abort', () => resolve(leased.lost.reason))
  })
  await preview.close()
  expect(await lost).toMatchObject({ cause: { code: 'VID_EDIT_PREVIEW' } })
}, 60_000)

test('a folder and a file of the project find its preview, and so does the folder around it', async () => {
  const { folder, state } = await openComposition()
  await mkdir(join(folder, 'scenes'))
  await writeFile(join(folder, 'scenes/index.html'), PAGE)
  // Below the project: staged in its preview, for the composition of that file.
  expect((await stageMend(join(folder, 'scenes'))).event).toMatchObject({ staged: true })
  expect(await state('scenes/index.html')).toMatchObject({ changes: 1, authors: [{ name: 'helper' }] })
  const dir = ['--dir', 'scenes/index.html']
  const address = [{ op: 'style', target: 'index.html#dim', property: 'color', value: '#222222' }]
  const named = await vid(folder, 'edit apply', '--operations', JSON.stringify(address), ...dir, '--as', 'helper')
  expect(named.event).toMatchObject({ staged: true, files: [{ file: 'scenes/index.html' }] })
  const list = await vid(folder, 'comments list', ...dir)
  expect(list.event).toMatchObject({ dir: folder, preview: { view: null }, elsewhere: [] })
  const check = await vid(join(folder, 'scenes'), 'check', '--rule', 'contrast', '--state', 'staged')
  expect([check.event.state, check.event.findings]).toEqual(['staged', []])
}, 120_000)

test('a folder without a composition shows the one below it that is open, and another one says where it is', async () => {
  const around = await makeProject({ 'film/index.html': PAGE })
  const composition = join(around, 'film')
  await openPreview(composition)
  expect((await vid(around, 'comments list')).event).toMatchObject({ dir: composition, preview: { view: null } })
  await writeFile(join(around, entry), PAGE)
  expect((await vid(around, 'comments list')).event).toMatchObject({
    dir: around,
    preview: null,
    elsewhere: [composition],
  })
  // A composition that is named from there is that of the preview.
  const edit = await stageMend(around, '--composition', 'film/index.html')
  expect(edit.event).toMatchObject({ staged: true, files: [{ file: entry }] })
}, 60_000)
