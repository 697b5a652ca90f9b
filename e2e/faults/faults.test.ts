import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { BROWSER, descendants, here, printed, scratch, start, until, vid, whileHeld } from '../support/vid.ts'

const project = here('projects/frame-number')
/** What a render left in its temp folder, and in shared memory under its own process number. */
const leftovers = async (temp: string, pid: number): Promise<string[]> => {
  const shared = await readdir('/dev/shm').catch(() => [])
  return [...(await readdir(temp)), ...shared.filter((name) => name.includes(`-${pid}-`))]
}
const isAlive = async (pid: number) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat !== '' && !/\) Z /.test(stat)
}
const alive = async (pids: readonly number[]) => {
  const states = await Promise.all(pids.map(isAlive))
  return pids.filter((_, index) => states[index])
}
/** Kills a process that may just have ended by itself. */
const kill = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
/** Kills a process in the middle of its work; false when it had ended before. */
const stopAndKill = async (pid: number): Promise<boolean> => {
  try {
    process.kill(pid, 'SIGSTOP')
  } catch {
    return false
  }
  const state = await until(async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return stat === '' ? 'gone' : /\) ([TZ]) /.exec(stat)?.[1]
  })
  if (state === 'T') kill(pid)
  return state === 'T'
}
const isBrowser = ({ command }: { command: string }) => BROWSER.test(command) && !command.includes('--type=')
const isFfmpeg = ({ command }: { command: string }) => /ffmpeg/.test(command) && command.includes('pipe:0')

/** Waits until some frames are rendered. */
const midway = (run: ReturnType<typeof start>) => printed(run, /"framesRendered":(1[5-9]|[2-9]\d)/)

/** The video of a render that nothing disturbs; made once. */
let undisturbed: Promise<Buffer> | undefined
const renderUndisturbed = async (): Promise<Buffer> => {
  const output = join(await scratch(), 'undisturbed.mp4')
  expect(await vid(['render', project, '-o', output])).toMatchObject({ code: 0 })
  return readFile(output)
}

test.each([
  ['browser', isBrowser],
  ['ffmpeg', isFfmpeg],
])('a %s killed in mid-render costs one segment and no byte', async (_name, isVictim) => {
  const folder = await scratch()
  undisturbed ??= renderUndisturbed()
  const usual = await undisturbed

  const output = join(folder, 'disturbed.mp4')
  const run = start(['render', project, '-o', output, '--json'])
  await midway(run)
  await until(() =>
    whileHeld(run, async () => {
      const victim = (await descendants(run.child.pid)).find(isVictim)
      return victim && ((await stopAndKill(victim.pid)) || undefined)
    }),
  )
  const { code, stdout, stderr } = await run.done
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('VID_SEGMENT_RETRIED')
  expect((await readFile(output)).equals(usual)).toBe(true)
})

test.each(
  partOf(
    [
      ['browser', isBrowser, '@vid/capture-puppeteer'],
      ['ffmpeg', isFfmpeg, '@vid/encoder-mp4'],
    ],
    1,
  ),
)(
  'a %s killed every time is a coded error that names its plugin, and nothing is left',
  async (_name, isVictim, plugin) => {
    const temp = await scratch()
    const folder = await scratch()
    const run = start(['render', project, '-o', join(folder, 'never.mp4'), '--json'], {
      env: { TMPDIR: temp },
    })
    const seen = new Set<number>()
    let over = false
    const hunt = until(
      () =>
        whileHeld(run, async () => {
          for (const child of await descendants(run.child.pid)) {
            seen.add(child.pid)
            if (isVictim(child) && /"framesRendered":[1-9]/.test(run.text.stdout)) kill(child.pid)
          }
          return over || undefined
        }),
      250_000,
    )
    const { code, stdout } = await run.done
    over = true
    await hunt
    expect(code).toBe(1)
    const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    expect(last).toMatchObject({ type: 'render-error', error: { plugin } })
    expect(last.error.code).toMatch(/^VID_/)
    expect(await readdir(folder)).toEqual([])
    expect(await leftovers(temp, run.child.pid)).toEqual([])
    // Helpers of a browser that was killed while it started see for themselves that it is gone.
    await until(async () => ((await alive([...seen])).length === 0 ? true : undefined))
  },
)

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops a render and leaves nothing', async (signal) => {
  const temp = await scratch()
  const folder = await scratch()
  const run = start(['render', project, '-o', join(folder, 'never.mp4'), '--json'], { env: { TMPDIR: temp } })
  await midway(run)
  const children = (await descendants(run.child.pid)).map(({ pid }) => pid)
  expect(children.length).toBeGreaterThan(1)
  process.kill(run.child.pid, signal)
  expect((await run.done).code).toBe(signal === 'SIGINT' ? 130 : 143)
  expect(await readdir(folder)).toEqual([])
  expect(await leftovers(temp, run.child.pid)).toEqual([])
  // A helper has closed its files, which is what the command waits for, a moment before it is gone.
  await until(async () => ((await alive(children)).length === 0 ? true : undefined))
})

test('a render that is killed itself takes its browser and its encoder with it', async () => {
  const folder = await scratch()
  const run = start(['render', project, '-o', join(folder, 'never.mp4'), '--json'])
  await midway(run)
  const children = (await descendants(run.child.pid)).map(({ pid }) => pid)
  process.kill(run.child.pid, 'SIGKILL')
  await run.done
  await until(async () => ((await alive(children)).length === 0 ? true : undefined))
  expect(await readdir(folder)).toEqual([])
})
