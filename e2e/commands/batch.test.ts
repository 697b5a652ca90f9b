import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { decodeFrames } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { BROWSER, descendants, here, printed, scratch, start, until, vidInProcess } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

const page = `<!doctype html><html data-composition-variables='[
  {"id":"name","type":"string","label":"Name","default":"nobody"},
  {"id":"tint","type":"color","label":"Tint","default":"#000000"}]'>
<body><div data-composition-id="card" data-width="160" data-height="90" data-duration="0.5">
<div id="card" style="position:absolute;inset:0"></div><b id="who" style="position:absolute;left:8px;top:8px;color:#fff"></b></div>
<script>
  const { name, tint } = __vid.getVariables()
  document.getElementById('card').style.background = tint
  document.getElementById('who').textContent = name
</script></body></html>`
const tints = ['#c00000', '#00c000', '#0000c0', '#c0c000', '#00c0c0', '#c000c0']
const rows = tints.map((tint, n) => ({ name: `n${n}`, tint }))
const makeProject = () =>
  projectOf({
    'index.html': page,
    'rows.json': JSON.stringify(rows),
    'few.json': JSON.stringify(rows.slice(0, 3)),
  })
const template = (folder: string) => join(folder, '{name}.mp4')
const batchOf = (file: string, project: string, folder: string, ...flags: string[]) => [
  'render',
  project,
  '--batch',
  join(project, file),
  '-o',
  template(folder),
  ...flags,
]
const batch = (project: string, folder: string, ...flags: string[]) => batchOf('rows.json', project, folder, ...flags)
const filesOf = async (folder: string) =>
  Promise.all(rows.map(async ({ name }) => (await readFile(join(folder, `${name}.mp4`))).toString('base64')))

/** The files of a batch that nothing disturbs, which is rendered once. */
let undisturbed: Promise<string[]> | undefined
const renderUndisturbed = async () => {
  const folder = await scratch()
  expect(await vidInProcess(batch(await makeProject(), folder))).toMatchObject({ code: 0 })
  return filesOf(folder)
}
const undisturbedFiles = () => {
  undisturbed ??= renderUndisturbed()
  return undisturbed
}

const browsersOf = async (pid: number) =>
  (await descendants(pid)).filter(
    // Not what a browser has just forked and not yet made something of.
    ({ parent, command }) => parent === pid && BROWSER.test(command),
  )

test('every row equals a separate render, however many run at once', async () => {
  const project = await makeProject()
  const three = await scratch()
  const single = await scratch()
  const concurrent = batch(project, three, '--batch-concurrency', '3')
  expect(await vidInProcess(concurrent)).toMatchObject({ code: 0 })
  const files = await undisturbedFiles()
  expect(await filesOf(three)).toEqual(files)
  expect(new Set(files).size).toBe(rows.length)
  const output = join(single, 'own.mp4')
  await vidInProcess(['render', project, '--variables', JSON.stringify(rows[4]), '-o', output])
  expect((await readFile(output)).toString('base64')).toBe(files[4])
  for await (const frame of decodeFrames(output, { pixFmt: 'rgb24' })) {
    const offset = (80 * 160 + 150) * 3
    for (const [channel, expected] of [0, 0xc0, 0xc0].entries())
      expect(Math.abs((frame[offset + channel] ?? -1) - expected)).toBeLessThan(5)
  }
})

longTest('one browser renders all rows, and no row is lost when it is killed during or between them', async () => {
  const project = await makeProject()
  const seen = new Set<number>()
  const calm = start(batchOf('few.json', project, await scratch(), '--json'))
  const { code: calmCode } = await until(async () => {
    for (const { pid } of await browsersOf(calm.child.pid)) seen.add(pid)
    return calm.child.exitCode === null ? undefined : calm.done
  })
  expect(calmCode).toBe(0)
  // It gets the next row ready while it captures.
  expect(seen.size).toBe(1)

  const folder = await scratch()
  const run = start(batch(project, folder, '--json'))
  await printed(run, /"batch-row-start","index":2/)
  const [browser] = await until(async () => {
    const browsers = await browsersOf(run.child.pid)
    return browsers.length > 0 ? browsers : undefined
  })
  if (browser) process.kill(browser.pid, 'SIGKILL')
  const { code, stdout } = await run.done
  expect(code, stdout).toBe(0)
  expect(stdout).toContain('"batch-complete"')
  expect(await filesOf(folder)).toEqual(await undisturbedFiles())
})

test('a killed batch continues with the missing rows, and gives the same files', async () => {
  const project = await makeProject()
  const folder = await scratch()
  const env = { VID_CACHE: 'on' } as const
  const first = start(batch(project, folder, '--json'), { env })
  await printed(first, /"batch-row-complete","index":2/)
  first.child.kill('SIGKILL')
  await first.done
  const again = await vidInProcess(batch(project, folder, '--json'), { env })
  expect(again.code, again.stderr).toBe(0)
  const unchanged = again.stdout.split('\n').filter((line) => line.includes('"type":"batch-row-unchanged"'))
  expect(unchanged.length).toBeGreaterThanOrEqual(3)
  expect(unchanged.length).toBeLessThan(rows.length)
  expect(await filesOf(folder)).toEqual(await undisturbedFiles())
  // A delivery that was killed may leave its hidden part.
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'))
  expect(names.sort()).toEqual([...rows.map(({ name }) => `${name}.mp4`), 'manifest.json'].sort())
})

longTest('no finished video is lost when the disk fills up during a batch', async () => {
  const project = await makeProject()
  const small = await scratch()
  const left = await scratch()
  const script = `mount -t tmpfs -o size=28k none "$1" || exit 99
    small="$1"; left="$2"; shift 2; "$@"; code=$?
    cp -a "$small/." "$left"; exit $code`
  const command = [process.execPath, here('../packages/engine/cli/bin/vid.js'), ...batch(project, small, '--json')]
  const run = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) =>
    execFile(
      'unshare',
      ['--mount', '--map-root-user', 'sh', '-c', script, 'sh', small, left, ...command],
      (error, stdout, stderr) => resolve({ code: error?.code, stdout, stderr }),
    ),
  )
  expect(run, run.stderr).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/error VID_MANIFEST_UNWRITABLE: .*no space/i),
  })
  const finished = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; outputPath: string })
    .flatMap(({ type, outputPath }) => (type === 'batch-row-complete' ? [basename(outputPath)] : []))
  const names = (await readdir(left)).filter((name) => name !== 'manifest.json')
  expect(names.sort()).toEqual(finished.sort())
  expect(finished.length).toBeGreaterThan(0)
  expect(finished.length).toBeLessThan(rows.length)
  for (const name of finished) {
    let frames = 0
    for await (const _ of decodeFrames(join(left, name), { pixFmt: 'gray' })) frames += 1
    expect(frames).toBe(15)
  }
})
