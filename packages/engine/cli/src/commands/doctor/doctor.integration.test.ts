import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventOf } from '@vid/protocol'
import { expect, test } from 'vitest'
import { longTest } from '../../../../../../scripts/dev/part-of.ts'
import { eventsOf, makeFolder, paint, sleep, startVid, vid, vidWith } from '../../fixtures/project.ts'

const examine = async (folder: string, ...args: string[]) => {
  const { code, stdout, stderr } = await vid(folder, 'doctor', 'intro', '--json', ...args)
  const [event] = eventsOf(stdout)
  return { code, stderr, ...(event as unknown as EventOf<'doctor'>) }
}

const failedOf = ({ checks }: EventOf<'doctor'>) =>
  checks.filter(({ ok, required }) => !ok && required).map(({ name }) => name)

longTest(
  'an engine that shows something else than its page is found out, and its encoder is tried by itself',
  async () => {
    const folder = await makeFolder()
    const report = await examine(folder)
    expect(report).toMatchObject({ code: 1, ok: false, stderr: '' })
    expect(failedOf(report)).toEqual(['capture'])
    expect(report.checks.find(({ name }) => name === 'capture')).toMatchObject({
      detail: 'the colours of the frame differ from those of the page',
      missing: 'every render',
    })
    expect(report.checks.find(({ name }) => name === 'encode mp4')).toMatchObject({ ok: true })
    expect(await readdir(join(folder, 'tmp'))).toEqual([])
  },
)

const broken = { VID_BROWSER_PATH: '/bin/true', VID_FFMPEG_PATH: '/bin/false' }

test('a config that cannot be loaded is a failed check of its own, and the rest is tried without it', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': `${paint} oops` })
  const { stdout } = await vidWith(folder, ['doctor', 'intro', '--json'], { env: broken })
  const [event] = eventsOf(stdout) as unknown as [EventOf<'doctor'>]
  expect(failedOf(event)).toContain('config')
  expect(event.checks.map(({ name }) => name)).toContain('encode webm')
})

test('the text names each check, what fails without it and what to do', async () => {
  const folder = await makeFolder()
  const { code, stdout, stderr } = await vidWith(folder, ['doctor', 'nothing-here'], { env: broken })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^ok {4}node /m)
  expect(stdout).toMatch(
    /^FAIL {2}config +the folder .*nothing-here does not exist\n +without it: .*\n +Name the folder/m,
  )
  expect(stdout).toMatch(/^FAIL {2}browser +VID_BROWSER_PATH_NOT_A_BROWSER/m)
  expect(stdout).toMatch(/^FAIL {2}encode mp4 +not tested, since ffmpeg failed$/m)
  expect(stderr).toContain('renders will fail: config, browser, capture auto, ffmpeg, encode mp4')
})

test('what Ctrl-C ends is called by its name, and not a render', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': sleep })
  const { child, done } = startVid(folder, ['doctor', 'intro'])
  child.stdout?.once('data', () => child.kill('SIGINT'))
  const { code, stderr } = await done
  expect(code).toBe(130)
  expect(stderr).toBe('error VID_CANCELLED: "vid doctor" was cancelled.\n  hint: Start it again.\n')
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

test('a Node that is too old is refused before anything is loaded, also as an event', async () => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` }
  const folder = await makeFolder()
  const { code, stdout, stderr } = await startVid(folder, ['doctor', '--json'], env).done
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error VID_NODE_VERSION: .*20\.19.*\n {2}hint: .*\n$/)])
  expect(eventsOf(stdout)).toMatchObject([{ type: 'doctor', ok: false, checks: [{ name: 'node', ok: false }] }])
  expect((await startVid(folder, ['render', 'intro'], env).done).code).toBe(1)
})
