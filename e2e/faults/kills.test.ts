import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import table from '../long/kills/stages.json' with { type: 'json' }
import { descendants, here, printed, scratch, start, until, vid, whileHeld } from '../support/vid.ts'

const project = here('projects/frame-number')

/** What the output shows when a stage has begun, and how the command line of a victim is recognized. */
const { stages, victims } = table
/** Each stage once, and each victim early and late; every pair, and a killed ffmpeg, with `npm run lab -- kill-matrix`. */
const CASES = [
  ['browser', 'launch'],
  ['renderer', 'load'],
  ['browser', 'inspect'],
  ['renderer', 'plan'],
  ['browser', 'first frame'],
  ['renderer', 'lane check'],
] as const

const kill = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

/** The video of a render that nothing disturbs; made once. */
let undisturbed: Promise<Buffer> | undefined
const renderUndisturbed = async (): Promise<Buffer> => {
  const output = join(await scratch(), 'undisturbed.mp4')
  expect(await vid(['render', project, '-o', output])).toMatchObject({ code: 0 })
  return readFile(output)
}

test.each(partOf(CASES, 3))('a %s killed at %s costs time and no byte', async (victim, stage) => {
  const folder = await scratch()
  const output = join(folder, 'disturbed.mp4')
  const run = start(['render', project, '-o', output, '--json', '--no-cache'], {
    env: { VID_DEBUG: 'cdp' },
  })
  const isVictim = new RegExp(victims[victim])
  await printed(run, new RegExp(stages[stage]))
  await until(() =>
    whileHeld(run, async () => {
      const victims = (await descendants(run.child.pid)).filter(({ command }) => isVictim.test(command))
      for (const { pid } of victims) kill(pid)
      return victims.length > 0 || undefined
    }),
  )
  const { code, stdout, stderr } = await run.done
  expect(code, `${stdout}${stderr}`.slice(-2000)).toBe(0)
  // A browser that is killed before a page needs it may be replaced without a word.
  if (stage !== 'launch') expect(stdout).toMatch(/VID_(PAGE|SEGMENT)_RETRIED/)
  undisturbed ??= renderUndisturbed()
  expect((await readFile(output)).equals(await undisturbed)).toBe(true)
})
