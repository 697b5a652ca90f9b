import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import table from '../long/kills/stages.json' with { type: 'json' }
import { descendants, here, printed, scratch, start, until, vid } from '../support/vid.ts'

const isBrowser = new RegExp(table.victims.browser)

/** A composition of one segment, whose frames take long enough for a second page to help. */
const project = here('../bench/registry/glass-notification')
const words = ['render', project, '--quality', 'draft', '--no-cache'] as const

let undisturbed: Promise<Buffer> | undefined
const renderUndisturbed = async (): Promise<Buffer> => {
  const output = join(await scratch(), 'undisturbed.mp4')
  expect(await vid([...words, '--workers', '1', '-o', output])).toMatchObject({ code: 0 })
  return readFile(output)
}

test.each([
  ['first', 0],
  ['last', -1],
])('killing the browser of the %s of two pages that share a segment costs time and no byte', async (_name, index) => {
  undisturbed ??= renderUndisturbed()
  const usual = await undisturbed
  const output = join(await scratch(), 'disturbed.mp4')
  const run = start([...words, '--workers', '2', '-o', output, '--json'])
  await printed(run, /"framesRendered":[2-9]\d/)
  await until(async () => {
    const browsers = (await descendants(run.child.pid)).filter(({ command }) => isBrowser.test(command))
    const victim = browsers.length < 2 ? undefined : browsers.sort((a, b) => a.pid - b.pid).at(index)
    return victim && process.kill(victim.pid, 'SIGKILL')
  })
  const { code, stdout, stderr } = await run.done
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('VID_SEGMENT_RETRIED')
  expect((await readFile(output)).equals(usual)).toBe(true)
})
