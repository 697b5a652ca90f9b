import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { descendants, here, scratch, start, until, vid } from './support/vid.ts'

const project = here('projects/frame-number')

/** What the log of the DevTools protocol shows when a stage has begun; before the launch there is nothing. */
const STAGES = {
  launch: /^/,
  load: /→ \d+ Page\.navigate/,
  inspect: /→ \d+ Runtime\.evaluate .*__vidHost\.begin\(\)/,
  plan: /→ \d+ Runtime\.evaluate .*__vidHost\.raster\.open\(\)/,
  'first-frame': /→ \d+ Runtime\.evaluate .*__vidHost\.raster\.next\(/,
  'lane-check': /→ \d+ Runtime\.evaluate .*__vidHost\.raster\.compare\(/,
} as const

const VICTIMS = {
  browser: (command: string) => /headless_shell|chrom/.test(command) && !command.includes('--type='),
  renderer: (command: string) => command.includes('--type=renderer'),
} as const

const kill = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

const cases = Object.keys(STAGES)
  .flatMap((stage) => Object.keys(VICTIMS).map((victim) => ({ stage, victim }) as Case))
  // A renderer that is killed before its page is attached answers no command: found as a page that hangs, after 30 s.
  .filter(({ stage, victim }) => stage !== 'launch' || victim === 'browser')
interface Case {
  readonly stage: keyof typeof STAGES
  readonly victim: keyof typeof VICTIMS
}

test.each(cases)('a $victim killed at $stage costs time and no byte', async ({ stage, victim }) => {
  const folder = await scratch()
  const output = join(folder, 'disturbed.mp4')
  const run = start(['render', project, '-o', output, '--json', '--no-cache'], {
    env: { VID_DEBUG: 'cdp' },
  })
  await until(async () => STAGES[stage].test(`${run.text.stdout}${run.text.stderr}`) || undefined)
  await until(async () => {
    const victims = (await descendants(run.child.pid)).filter(({ command }) => VICTIMS[victim](command))
    for (const { pid } of victims) kill(pid)
    return victims.length > 0 || undefined
  })
  const { code, stdout, stderr } = await run.done
  expect(code, `${stdout}${stderr}`.slice(-2000)).toBe(0)
  expect(stdout).toMatch(/VID_(PAGE|SEGMENT)_RETRIED/)
  const undisturbed = join(folder, 'undisturbed.mp4')
  expect(await vid(['render', project, '-o', undisturbed])).toMatchObject({ code: 0 })
  expect((await readFile(output)).equals(await readFile(undisturbed))).toBe(true)
})
