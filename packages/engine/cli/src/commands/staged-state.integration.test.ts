import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import editCommands from '@vid/edit/commands'
import { createPreview } from '@vid/preview'
import { decodePng, encodePng, runInFolder } from '@vid/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../fixtures/project.ts'
import { lintCommand } from './lint/command.ts'
import { snapshotCommand } from './snapshot/command.ts'

const PAGE = `<!doctype html><meta charset="utf-8"><style>body, p { margin: 0 } #one { width: 64px; height: 36px }</style>
<div id="root" data-composition-id="film" data-width="64" data-height="36" data-duration="1">
  <p id="one" data-start="0" data-duration="1" data-track-index="1" style="background: #ff0000"></p>
  <img id="two" src="stills/snapshot_0s.png" data-start="0.5" data-duration="0.5" data-track-index="1" style="left: 60px">
</div>
`

const BLUE = encodePng({ width: 1, height: 1, data: Uint8Array.of(0, 0, 255, 255) })

const EDIT = [
  { op: 'track', target: '#two', track: 2 },
  { op: 'style', target: '#one', property: 'background', value: '#00ff00' },
]

const [apply] = editCommands.filter(({ path }) => path === 'edit apply')

/** A project with clips that overlap, whose open preview has a staged edit that mends them and changes a colour. */
const stageEdit = async (): Promise<string> => {
  const folder = join(await makeFolder({ 'film/index.html': PAGE }), 'film')
  await mkdir(join(folder, 'stills'))
  await writeFile(join(folder, 'stills/snapshot_0s.png'), BLUE)
  const preview = await createPreview({ projectDir: folder, cwd: folder })
  onTestFinished(() => preview.close())
  if (!apply) throw new Error('there is no vid edit apply')
  const edit = await runInFolder(apply, folder, '--operations', JSON.stringify(EDIT), '--as', 'helper', '--json')
  expect(JSON.parse(edit.stdout)).toMatchObject({ staged: true })
  return folder
}

test('vid lint and vid snapshot look at what is staged on request, and say so', async () => {
  const folder = await stageEdit()
  const lint = async (...words: string[]) => {
    const { code, stdout } = await runInFolder(lintCommand, folder, '--json', ...words)
    const { findings, state } = JSON.parse(stdout)
    return [code, state, findings.map(({ code: rule }: { code: string }) => rule)]
  }
  expect(await lint()).toEqual([1, undefined, ['lint/overlapping-clips']])
  expect(await lint('--state', 'staged')).toEqual([0, 'staged', []])
  const snapshot = async (...words: string[]) => {
    const { stdout, stderr } = await runInFolder(snapshotCommand, folder, '--at', '0s', '--json', ...words)
    const { snapshots, state } = JSON.parse(stdout || stderr)
    const [{ path }] = snapshots
    return [path, state, ...decodePng(await readFile(path)).data.slice(0, 3)]
  }
  const still = join(folder, 'snapshots/film/snapshot_0s.png')
  expect(await snapshot('--state', 'staged')).toEqual([still, 'staged', 0, 255, 0])
  expect(await snapshot()).toEqual([still, undefined, 255, 0, 0])
  expect((await runInFolder(lintCommand, folder, '--state', 'staged')).stderr).toContain(
    'as staged in the open preview',
  )
})

test('stills of what is staged replace no source of the project', async () => {
  const folder = await stageEdit()
  const words = ['--at', '0s', '-o', 'stills', '--state', 'staged']
  expect(await runInFolder(snapshotCommand, folder, ...words)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('VID_OUTPUT_SOURCE'),
  })
  expect(await readFile(join(folder, 'stills/snapshot_0s.png'))).toEqual(Buffer.from(BLUE))
})
