import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { here, scratch, vid } from './support/vid.ts'

const run = promisify(execFile)
const worker = here('support/portable.mjs')

test('a plan in a file is rendered by separate processes to the bytes of an undivided run', async () => {
  const folder = await scratch()
  const project = here('projects/clockwork')
  const whole = join(folder, 'whole.mp4')
  expect(await vid(['render', project, '-o', whole])).toMatchObject({ code: 0 })

  const plan = join(folder, 'plan.json')
  await run(process.execPath, [worker, 'plan', project, plan])
  const { segments } = JSON.parse(await readFile(plan, 'utf8')) as { segments: unknown[] }
  expect(segments).toHaveLength(4)
  const files = segments.map((_, index) => join(folder, `part-${index}`))
  for (const [index, file] of [...files.entries()].reverse())
    await run(process.execPath, [worker, 'segment', project, plan, String(index), file])
  const joined = join(folder, 'joined.mp4')
  await run(process.execPath, [worker, 'join', project, plan, joined, ...files])
  expect((await readFile(joined)).equals(await readFile(whole))).toBe(true)
})

test('a plan that another browser made is refused by name', async () => {
  const folder = await scratch()
  const project = here('projects/clockwork')
  const plan = join(folder, 'plan.json')
  await run(process.execPath, [worker, 'plan', project, plan])
  const made = JSON.parse(await readFile(plan, 'utf8'))
  await writeFile(plan, JSON.stringify({ ...made, capture: { ...made.capture, build: 'Chromium 1' } }))
  await expect(
    run(process.execPath, [worker, 'segment', project, plan, '0', join(folder, 'part')]),
  ).rejects.toThrow('VID_PLAN_BUILD')
})
