import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, startVid } from './fixtures/project.ts'

test('an unknown name in VID_DEBUG gives a warning that lists the known ones', async () => {
  const { code, stderr } = await startVid(await makeFolder(), ['render', 'intro'], { VID_DEBUG: 'cpd,1' }).done
  expect(stderr).toContain('warning VID_DEBUG_UNKNOWN: VID_DEBUG has unknown topics; got "cpd".')
  expect(stderr).toContain('hint: Known topics: cdp, ffmpeg, plan, and 1 for the stacks of errors')
  expect(code).toBe(0)
})

test('VID_DEBUG=plan prints the plan of the render as JSON', async () => {
  const { code, stderr } = await startVid(await makeFolder(), ['render', 'intro'], { VID_DEBUG: 'plan' }).done
  expect(code).toBe(0)
  const json = /^plan [\d.]+ ms (\{\n.*?\n\})$/ms.exec(stderr)?.[1] ?? ''
  expect(JSON.parse(json)).toMatchObject({ fps: 30, capture: { name: 'fixture-painter' } })
})

test('VID_KEEP_SCRATCH=1 keeps the work folder of a render and prints its path', async () => {
  const folder = await makeFolder()
  const { code, stderr } = await startVid(folder, ['render', 'intro'], { VID_KEEP_SCRATCH: '1' }).done
  expect(code).toBe(0)
  // A user without a home folder has the cache there, too.
  const workFolder = (await readdir(join(folder, 'tmp'))).find((name) => name.startsWith('vid-kept-')) ?? 'none'
  expect(stderr).toContain(`kept the work folder of the render: ${join(folder, 'tmp', workFolder)}\n`)
  expect(await readdir(join(folder, 'tmp', workFolder))).not.toEqual([])
})
