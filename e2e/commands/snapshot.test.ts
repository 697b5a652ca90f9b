import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { greyFrames, shownNumber } from '../support/pixels.ts'
import { here, scratch, vidInProcess } from '../support/vid.ts'

const grey = async (file: string) => (await greyFrames(file))[0] ?? new Uint8Array()

test('stills show the frames of their times, in one page and in the order that was asked for', async () => {
  const folder = await scratch()
  const args = ['snapshot', here('projects/frame-number'), '-o', folder, '--at', '2.5s,1s,50%,0,100%']
  const { code, stdout, stderr } = await vidInProcess(args)
  expect(code, stderr).toBe(0)
  const names = ['2.5s', '1s', '50pct', '0s', '100pct'].map((time) => `snapshot_${time}.png`)
  expect(stdout.trim().split('\n')).toEqual(names.map((name) => join(folder, name)))
  expect((await readdir(folder)).sort()).toEqual(names.toSorted())
  const shown = await Promise.all(names.map(async (name) => shownNumber(await grey(join(folder, name)))))
  expect(shown).toEqual([75, 30, 60, 0, 119])
})

test('--frames spreads them, and --json reports frame and time of each', async () => {
  const folder = await scratch()
  const project = here('projects/frame-number')
  const { stdout } = await vidInProcess(['snapshot', project, '-o', folder, '--frames', '3', '--json'])
  expect(JSON.parse(stdout)).toEqual({
    type: 'snapshot-complete',
    width: 320,
    height: 180,
    warnings: [],
    snapshots: [20, 60, 100].map((frame, index) => ({
      path: join(folder, `snapshot_${index + 1}.png`),
      frame,
      time: frame / 30,
    })),
  })
})

test('a page that keeps state looks as in the video, whichever frames are skipped', async () => {
  const folder = await scratch()
  const project = here('projects/clockwork')
  const output = join(folder, 'out.mp4')
  expect(await vidInProcess(['render', project, '-o', output, '-q', 'high'])).toMatchObject({ code: 0 })
  expect(await vidInProcess(['snapshot', project, '-o', folder, '--at', '0.5s,3.9s'])).toMatchObject({ code: 0 })
  const video = await greyFrames(output)
  for (const [name, frame] of [
    ['0.5s', 15],
    ['3.9s', 117],
  ] as const) {
    const still = await grey(join(folder, `snapshot_${name}.png`))
    const other = video[frame] ?? new Uint8Array()
    expect(still.length).toBe(other.length)
    const far = still.filter((value, index) => Math.abs(value - (other[index] ?? 0)) > 40).length
    expect(far / still.length).toBeLessThan(0.002)
  }
})

test('--alpha makes what is not drawn transparent, --variables are seen, and older stills are replaced', async () => {
  const folder = await scratch()
  const declared = `[{"id":"color","type":"color","label":"Color","default":"#00ff00"}]`
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html data-composition-variables='${declared}'><body style="background:#fff">
    <div data-composition-id="x" data-width="64" data-height="36" data-duration="1">
    <div id="box" style="position:absolute;width:32px;height:36px"></div></div>
    <script>document.querySelector('#box').style.background = __vid.getVariables().color</script></body></html>`,
  )
  const pixels = async (...flags: string[]) => {
    const run = await vidInProcess(['snapshot', folder, '--at', '0', ...flags], { cwd: folder })
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(await readdir(join(folder, run.stdout.trim(), '..'))).toEqual(['snapshot_0s.png'])
    const { width, height, data } = decodePng(await readFile(join(folder, run.stdout.trim())))
    expect([width, height]).toEqual([64, 36])
    return [8, 56].map((x) => [...data.subarray((18 * 64 + x) * 4, (18 * 64 + x) * 4 + 4)])
  }
  const green = [0, 255, 0, 255]
  expect(await pixels('--alpha')).toEqual([green, [0, 0, 0, 0]])
  expect(await pixels()).toEqual([green, [255, 255, 255, 255]])
  expect(await pixels('--variables', '{"color":"#ff0000"}')).toEqual([
    [255, 0, 0, 255],
    [255, 255, 255, 255],
  ])
})

test.each([
  [['--at', '9s'], 'VID_SNAPSHOT_TIME'],
  [['--at', 'soon'], 'VID_FLAG_INVALID'],
  [['--at', '1s', '--frames', '2'], 'VID_FLAG_CONFLICT'],
  [['--frames', '200'], 'VID_SNAPSHOT_FRAMES'],
])('%j is refused, and nothing is written', async (flags, code) => {
  const folder = await scratch()
  const run = await vidInProcess(['snapshot', here('projects/frame-number'), '-o', join(folder, 'out'), ...flags])
  expect(run.code, run.stderr).toBe(2)
  expect(run.stderr).toContain(`error ${code}: `)
  expect(await readdir(folder)).toEqual([])
})

test('a place that cannot be written to is a coded error, known before any work where it is a file', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'taken'), '')
  const snapshot = (output: string) =>
    vidInProcess(['snapshot', here('projects/frame-number'), '--at', '0', '-o', join(folder, output)])
  const file = await snapshot('taken')
  const below = await snapshot('taken/below')
  expect(file).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('VID_OUTPUT_KIND') })
  expect(below).toMatchObject({ code: 1, stderr: expect.stringContaining('VID_OUTPUT_UNWRITABLE') })
  expect(await readdir(folder)).toEqual(['taken'])
})

test('a still replaces an earlier still and nothing else: a link or a source only with --force, a folder never', async () => {
  const folder = await scratch()
  const still = 'snapshot_0s.png'
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><div data-composition-id="x" data-width="64" data-height="36" data-duration="1"
      data-no-timeline><img src="${still}"></div>`,
  )
  await writeFile(join(folder, still), 'a source')
  await writeFile(join(folder, 'target.png'), 'elsewhere')
  for (const name of ['link', 'folder/snapshot_0s.png', 'mine']) await mkdir(join(folder, name), { recursive: true })
  await symlink('../target.png', join(folder, 'link', still))
  await writeFile(join(folder, 'mine/notes.txt'), 'mine')
  const snapshot = async (...flags: string[]) => {
    const { code, stderr } = await vidInProcess(['snapshot', folder, '--at', '0', '-o', ...flags], { cwd: folder })
    return code === 0 ? 'taken' : `${code} ${/VID_\w+/.exec(stderr)?.[0]}`
  }
  expect(await snapshot('.')).toBe('2 VID_OUTPUT_SOURCE')
  expect(await readFile(join(folder, still), 'utf8')).toBe('a source')
  expect(await snapshot('link')).toBe('2 VID_OUTPUT_EXISTS')
  expect(await readlink(join(folder, 'link', still))).toBe('../target.png')
  expect(await snapshot('link', '--force')).toBe('taken')
  expect((await lstat(join(folder, 'link', still))).isFile()).toBe(true)
  expect(await readFile(join(folder, 'target.png'), 'utf8')).toBe('elsewhere')
  expect(await snapshot('folder', '--force')).toBe('2 VID_OUTPUT_KIND')
  expect(await readdir(join(folder, 'folder', still))).toEqual([])
  expect([await snapshot('mine'), await snapshot('mine')]).toEqual(['taken', 'taken'])
  expect((await readdir(join(folder, 'mine'))).sort()).toEqual(['notes.txt', still])
})

test('--strict, and strict in the config, write no still of a page with problems; without it the stills are taken', async () => {
  const folder = await scratch()
  const page = (script: string) => `<!doctype html><html><body>
    <div id="root" data-composition-id="main" data-width="64" data-height="36" data-duration="1"></div>
    <script>addEventListener('vid-seek', () => { ${script} })</script></body></html>`
  await writeFile(join(folder, 'index.html'), page("throw new Error('in each frame')"))
  const take = (...more: string[]) =>
    vidInProcess(['snapshot', folder, '-o', join(folder, 'out'), '--at', '0', ...more])
  const strict = await take('--strict')
  expect(strict.code).toBe(1)
  expect(strict.stderr).toMatch(/error VID_RENDER_STRICT: .*in each frame/)
  expect(await readdir(folder)).toEqual(['index.html'])
  expect(await take()).toMatchObject({ code: 0, stderr: expect.stringContaining('in each frame') })

  await writeFile(join(folder, 'vid.config.json'), JSON.stringify({ render: { strict: true } }))
  expect(await take('--force')).toMatchObject({ code: 1 })
  await writeFile(join(folder, 'index.html'), `<script src="gone.js"></script>${page('')}`)
  const linted = await take('--force')
  expect(linted).toMatchObject({ code: 1, stderr: expect.stringContaining('VID_LINT_STRICT') })
})
