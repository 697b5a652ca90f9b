import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { colourFrames } from '../support/colours.ts'
import { ffmpeg } from '../support/sound.ts'
import { here, scratch, start, until, vid, vidInProcess } from '../support/vid.ts'

// 72 frames in 12 segments: each scene of a second is two.
const env = { VID_CACHE: 'on' } as const
const SEGMENTS = 12

/** A copy of the project, which keeps its own cache. */
const project = async (): Promise<string> => {
  const folder = join(await scratch(), 'film')
  await cp(here('projects/six-scenes'), folder, { recursive: true })
  await rm(join(folder, '.vid'), { recursive: true, force: true })
  return folder
}

const edit = async (file: string, from: string, to: string) => {
  const before = await readFile(file, 'utf8')
  expect(before).toContain(from)
  await writeFile(file, before.replace(from, to))
}

interface Rendered {
  readonly digest: string
  /** Why each segment was reused; null for one that was rendered. */
  readonly reused: readonly (string | null)[]
  readonly warnings: readonly { readonly code: string }[]
}

const reusedOf = (stdout: string): (string | null)[] => {
  const reused: (string | null)[] = []
  for (const line of stdout.split('\n').filter((line) => line.includes('"segment-complete"'))) {
    const { index, reused: why = null } = JSON.parse(line)
    reused[index] = why
  }
  return reused
}

const outputOf = (dir: string) => join(dir, '..', 'film.mp4')

const render = async (dir: string, ...flags: string[]): Promise<Rendered> => {
  const output = outputOf(dir)
  const { code, stdout, stderr } = await vidInProcess(['render', dir, '-o', output, '--json', ...flags], { env })
  expect(code, stderr).toBe(0)
  const events = stdout.trim().split('\n')
  return {
    digest: createHash('sha256')
      .update(await readFile(output))
      .digest('hex'),
    reused: reusedOf(stdout),
    warnings: JSON.parse(events.at(-1) ?? '').warnings,
  }
}

const cacheOf = (dir: string) => join(dir, '.vid/cache')

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const all = (why: string | null) => Array.from({ length: SEGMENTS }, () => why)

/** The project after its first render: rendered once, and copied by each test that goes on from there. */
let first: Promise<{ readonly folder: string; readonly rendered: Rendered }> | undefined
const renderFirst = async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'vid-kept-')), 'film')
  await cp(here('projects/six-scenes'), folder, { recursive: true })
  return { folder, rendered: await render(folder) }
}
afterAll(async () => {
  if (first) await rm(join((await first).folder, '..'), { recursive: true, force: true })
})

const rendered = async () => {
  first ??= renderFirst()
  const { folder, rendered } = await first
  const dir = join(await scratch(), 'film')
  await cp(folder, dir, { recursive: true })
  return { dir, whole: rendered }
}

longTest('an unchanged composition is not captured again, unless it is asked for', async () => {
  const { dir, whole } = await rendered()
  expect(whole.reused).toEqual(all(null))
  const again = await render(dir)
  expect(again).toMatchObject({ digest: whole.digest, reused: all('the same inputs'), warnings: [] })
  const fresh = await render(dir, '--fresh')
  expect(fresh).toMatchObject({ digest: whole.digest, reused: all(null) })
  expect((await stat(cacheOf(dir))).mode & 0o777).toBe(0o700)
  expect(await readFile(join(cacheOf(dir), '.gitignore'), 'utf8')).toBe('*\n')
})

longTest('vid clean says what it frees, and --no-cache keeps nothing', async () => {
  const { dir } = await rendered()
  const cleaned = await vidInProcess(['clean', dir])
  expect(cleaned).toMatchObject({ code: 0, stdout: expect.stringMatching(/^freed \d+(\.\d)? [kM]B\n$/) })
  await expect(stat(cacheOf(dir))).rejects.toMatchObject({ code: 'ENOENT' })
  await rm(join(dir, '.vid'), { recursive: true, force: true })
  await render(dir, '--no-cache', '--variables', '{"last":"Hotel"}')
  await expect(stat(join(dir, '.vid'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('an edit of one scene renders only the segments of that scene, and the file equals a fresh render', async () => {
  const { dir, whole } = await rendered()
  await edit(join(dir, 'index.html'), 'Delta', 'Dollar')
  const edited = await render(dir)
  const why = 'the edit touches only 3–4 s; 5 frames compared'
  expect(edited.reused).toEqual(all(why).map((reason, index) => (index === 6 || index === 7 ? null : reason)))
  expect(edited.digest).not.toBe(whole.digest)
  expect((await render(dir, '--no-cache')).digest).toBe(edited.digest)
  // What was taken over counts as made of the new text.
  expect((await render(dir)).reused).toEqual(all('the same inputs'))
})

test('equal frames are not encoded again, whatever else has changed', async () => {
  const { dir, whole } = await rendered()
  await edit(join(dir, 'index.html'), 'window.__timelines', 'void 0; window.__timelines')
  const same = await render(dir)
  expect(same).toMatchObject({
    digest: whole.digest,
    reused: all('6 equal frames; all were captured, since the content of a <script> changed'),
  })
  await edit(join(dir, 'mark.svg'), '#ffffff', '#00ff00')
  const marked = await render(dir)
  expect(marked.reused).toEqual(
    all('6 equal frames').map((reason, index) => (index === 6 || index === 7 ? null : reason)),
  )
  const frames = await colourFrames(outputOf(dir))
  const offset = (20 * 320 + 295) * 3
  expect([...(frames[42]?.subarray(offset, offset + 3) ?? [])].map((value) => value > 128)).toEqual([
    false,
    true,
    false,
  ])
})

test('renders of other variables share the segments that they do not change', async () => {
  const { dir, whole } = await rendered()
  const other = await render(dir, '--variables', '{"last":"Golf"}')
  expect(other.reused).toEqual(all('6 equal frames').map((reason, index) => (index < 10 ? reason : null)))
  expect(other.digest).not.toBe(whole.digest)
})

test('a killed render continues from its finished segments', async () => {
  const { whole } = await rendered()
  const dir = await project()
  const run = start(['render', dir, '-o', outputOf(dir), '--json'], { env })
  await until(async () => (reusedOf(run.text.stdout).length >= 4 ? true : undefined))
  process.kill(run.child.pid, 'SIGKILL')
  const before = reusedOf((await run.done).stdout).length
  const again = await render(dir)
  expect(again.digest).toBe(whole.digest)
  const count = again.reused.filter((why) => why === 'the same inputs').length
  expect(count).toBeGreaterThanOrEqual(before)
  expect(again.reused.filter((why) => why === null)).toHaveLength(SEGMENTS - count)
})

test('segments whose files are damaged, truncated, foreign or missing are rendered again', async () => {
  const { dir, whole } = await rendered()
  const contents = await filesIn(join(cacheOf(dir), 'v2/contents'))
  const entries = await filesIn(join(cacheOf(dir), 'v2/segments'))
  const flip = async (file: string) => {
    const bytes = await readFile(file)
    const offset = Math.floor(bytes.length / 2)
    bytes[offset] = (bytes[offset] ?? 0) ^ 1
    await writeFile(file, bytes)
  }
  const faults = [
    flip,
    (file: string) => truncate(file, 100),
    (file: string) => writeFile(file, 'something else'),
    (file: string) => rm(file),
    (file: string) => rm(file).then(() => mkdir(file)),
  ]
  for (const [index, file] of contents.slice(0, 5).entries()) await faults[index]?.(file)
  for (const [index, file] of entries.slice(0, 5).entries()) await faults[index]?.(file)
  const again = await render(dir)
  expect(again).toMatchObject({ digest: whole.digest, warnings: [] })
  expect(again.reused.filter((why) => why === null).length).toBeGreaterThan(0)
  expect(again.reused.filter((why) => why !== null).length).toBeGreaterThan(0)
  expect((await render(dir)).reused).toEqual(all('the same inputs'))
})

longTest('two processes share one cache', async () => {
  const { whole } = await rendered()
  const dir = await project()
  const runs = ['a.mp4', 'b.mp4'].map((name) => join(dir, '..', name))
  const done = await Promise.all(runs.map((output) => vid(['render', dir, '-o', output], { env })))
  expect(done.map(({ code }) => code)).toEqual([0, 0])
  for (const output of runs) {
    const digest = createHash('sha256').update(await readFile(output))
    expect(digest.digest('hex')).toBe(whole.digest)
  }
})

longTest('an unwritable cache gives one warning', async () => {
  const { whole } = await rendered()
  const dir = await project()
  await writeFile(join(dir, '.vid'), '')
  const again = await render(dir)
  expect(again).toMatchObject({ digest: whole.digest, reused: all(null) })
  expect(again.warnings.map(({ code }) => code)).toEqual(['VID_CACHE_UNUSABLE'])
})

test('a cache on a full disk gives one warning', async () => {
  const { whole } = await rendered()
  const dir = await project()
  const output = outputOf(dir)
  await mkdir(join(dir, '.vid'))
  const script = 'mount -t tmpfs -o size=96k tmpfs "$1" && shift && exec "$@"'
  const command = [process.execPath, here('../packages/engine/cli/bin/vid.js'), 'render', dir, '-o', output, '--json']
  const child = spawn('unshare', ['-rm', 'sh', '-c', script, 'sh', join(dir, '.vid'), ...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const stdout = await text(child.stdout)
  expect(reusedOf(stdout)).toEqual(all(null))
  const { warnings } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(warnings).toEqual([
    expect.objectContaining({
      code: 'VID_CACHE_UNUSABLE',
      message: expect.stringMatching(/no space left on device/),
    }),
  ])
  const digest = createHash('sha256').update(await readFile(output))
  expect(digest.digest('hex')).toBe(whole.digest)
})

longTest('a render that reuses its segments warns of what was wrong with them, and a strict one fails', async () => {
  const folder = join(await scratch(), 'film')
  await mkdir(folder)
  const cut = join(folder, 'cut.webm')
  // VP8 at 8 Mbit/s, which is extracted, and breaks off after two of four seconds.
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=4']
  await ffmpeg([...source, '-c:v', 'libvpx', '-b:v', '8M', '-deadline', 'realtime', '-cpu-used', '8', cut])
  await truncate(cut, Math.round((await stat(cut)).size / 2))
  const page = `<div data-composition-id="a" data-width="320" data-height="180" data-duration="4">
    <video src="cut.webm" data-start="0" data-duration="4" muted></video>
    <script>const tick = (ms) => { requestAnimationFrame(tick); if (ms > 3000) throw new Error('too late') }
    requestAnimationFrame(tick)</script></div>`
  await writeFile(join(folder, 'index.html'), page)
  const settings = { fps: 10, quality: 'draft', segmentFrames: 10 }
  await writeFile(join(folder, 'vid.config.json'), JSON.stringify({ render: settings }))
  const codes = ({ warnings }: Rendered) => [...new Set(warnings.map(({ code }) => code))].sort()
  const before = await render(folder)
  expect(codes(before)).toEqual(expect.arrayContaining(['VID_MEDIA_DAMAGED', 'VID_SCRIPT_ERROR']))
  const again = await render(folder)
  expect(again.reused).toEqual(Array.from({ length: 4 }, () => 'the same inputs'))
  expect(codes(again)).toEqual(codes(before))
  expect(again.digest).toBe(before.digest)
  const strict = await vidInProcess(['render', folder, '-o', outputOf(folder), '--strict'], { env })
  expect(strict).toMatchObject({ code: 1 })
  expect(strict.stderr).toMatch(/VID_SCRIPT_ERROR|VID_MEDIA_(?:DAMAGED|STRICT)/)
})
