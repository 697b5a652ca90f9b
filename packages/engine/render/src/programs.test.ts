import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventProblems } from '@vid/protocol'
import { expect, test } from 'vitest'
import { makeFolder, presetOf } from './fixtures/project.ts'
import {
  type BatchEvent,
  checkRows,
  encoderFacts,
  inspectRender,
  lintFolder,
  openContext,
  planBatch,
  runBatch,
} from './index.ts'

const { signal } = new AbortController()
const open = (cwd: string) => openContext({ cwd, env: {}, presets: presetOf() })

test('rows of a program become videos, their events follow the protocol, and the manifest is true', async () => {
  const cwd = await makeFolder()
  const rows = checkRows([{ title: 'a' }, { title: 'b' }], 'rows')
  const batch = await planBatch({ projectDir: 'intro', rows, output: 'out/{title}.mp4' }, await open(cwd), signal)
  const events: BatchEvent[] = []
  const manifest = await runBatch(batch, { concurrency: 2, signal, onEvent: (event) => events.push(event) })
  expect(manifest).toMatchObject({ total: 2, completed: 2, failed: 0, skipped: 0 })
  expect(JSON.parse(await readFile(join(cwd, 'out/manifest.json'), 'utf8'))).toEqual(manifest)
  expect((await readdir(join(cwd, 'out'))).sort()).toEqual(['a.mp4', 'b.mp4', 'manifest.json'])
  expect(events.flatMap((event) => eventProblems(event))).toEqual([])
  const started = events.flatMap((event) => (event.type === 'batch-row-start' ? [event.renderId] : []))
  expect(new Set(started).size).toBe(2)
})

test('everything that is wrong with rows is one error, before the first is rendered', async () => {
  const cwd = await makeFolder()
  const rows = [{ title: 'same' }, { title: 'same' }, { title: '../out' }, {}]
  const planning = planBatch({ projectDir: 'intro', rows, output: 'out/{title}.mp4' }, await open(cwd), signal)
  const error = await planning.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'VID_SETTINGS_INVALID', fault: 'caller' })
  const { errors } = (error as { facts: { errors: { message: string }[] } }).facts
  expect(errors.map(({ message }) => message.slice(0, 24))).toEqual([
    'Row 2 cannot be rendered',
    'Row 3 cannot be rendered',
    'Rows 0 and 1 cannot be r',
  ])
})

test('an inspection names the source of each setting in the words of its caller, and follows the protocol', async () => {
  const cwd = await makeFolder({ 'intro/vid.config.json': '{ "render": { "quality": "high" } }' })
  const settings = { projectDir: 'intro', fps: 60, output: 'a.webm' }
  const inspection = await inspectRender(settings, await open(cwd), { plan: true, signal })
  expect(eventProblems(inspection)).toEqual([])
  expect(inspection.config).toMatchObject({
    'render.fps': { value: 60, source: 'setting fps' },
    'render.format': { value: 'webm', source: 'setting output' },
    'render.quality': { value: 'high', source: 'config' },
    'render.strict': { value: false, source: 'default' },
  })
  expect(inspection.plan?.frames).toBe(30)
})

test('lint takes the format from the config, and refuses one that no encoder makes', async () => {
  const cwd = await makeFolder()
  expect(await lintFolder({ projectDir: 'intro' }, await open(cwd), signal)).toEqual([])
  const linting = lintFolder({ projectDir: 'intro', format: 'avi' }, await open(cwd), signal)
  await expect(linting).rejects.toMatchObject({ code: 'VID_FORMAT_UNKNOWN' })
})

test('what encoders declare tells which formats a setting is for', async () => {
  const cwd = await makeFolder()
  const { formats, formatsOf } = await encoderFacts(await open(cwd))
  const { requestSettings } = await import('@vid/protocol')
  expect(formats).toEqual(['mp4', 'webm'])
  expect(formatsOf('crf', requestSettings.crf)).toEqual(['mp4', 'webm'])
  expect(formatsOf('gifLoop', requestSettings.gifLoop)).toEqual([])
  expect(formatsOf('fps', requestSettings.fps)).toEqual(['mp4', 'webm'])
})
