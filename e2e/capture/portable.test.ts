import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { here, scratch, vid } from '../support/vid.ts'

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

const anotherProcessor = (build: string) => {
  expect(build).toMatch(/, raster x86-64/)
  return build.replace(/, raster .*/, ', raster x86-64-v3 GenuineIntel 0')
}

test.each<[string, Readonly<Record<string, (planned: string) => string>>, string]>([
  ['browser', { build: () => 'Chromium 1' }, 'VID_PLAN_BUILD'],
  ['processor', { build: anotherProcessor }, 'VID_PLAN_BUILD'],
  ['version of the capture plugin', { code: () => '@vid/capture-puppeteer@0.0.1' }, 'VID_PLAN_CODE'],
])('a plan that another %s made is refused by name', async (_, other, code) => {
  const folder = await scratch()
  const project = here('projects/clockwork')
  const plan = join(folder, 'plan.json')
  await run(process.execPath, [worker, 'plan', project, plan])
  const planned = JSON.parse(await readFile(plan, 'utf8'))
  expect(JSON.stringify(planned)).not.toContain(here('..'))
  for (const [field, change] of Object.entries(other)) planned.capture[field] = change(planned.capture[field])
  await writeFile(plan, JSON.stringify(planned))
  await expect(run(process.execPath, [worker, 'segment', project, plan, '0', join(folder, 'part')])).rejects.toThrow(
    code,
  )
})
