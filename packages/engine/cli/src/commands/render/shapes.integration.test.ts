import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, page, paint, sleep, startVid, vid } from '../../fixtures/project.ts'

// Fails for the tall shape.
const failing = paint.replace(
  /export default \{/,
  `const watcher = {
  ...bytes(), name: 'fixture-watcher', role: 'plugin', optionsSchema: undefined, options: {},
  setup(hooks) {
    hooks.plan.tap('fixture-watcher', (plan) => {
      if (plan.composition.shape === '9:16') throw new Error('it is too tall')
      return plan
    })
  },
}
export default { plugins: [watcher],`,
)
const render = (folder: string, ...args: string[]) => vid(folder, 'render', 'intro', ...args)
const declaring = (shapes: string) => page.replace('data-width', `data-shapes="${shapes}" data-width`)
const filesIn = async (folder: string) => (await readdir(folder).catch(() => [])).sort()

test('each shape has a file of its name, and stdout holds the paths in the order of the shapes', async () => {
  const folder = await makeFolder()
  const { code, stdout, stderr } = await render(folder, '--shapes', '9:16,1:1,16:9')
  expect({ code, stdout }, stderr).toEqual({
    code: 0,
    stdout: 'renders/intro-9x16.mp4\nrenders/intro-1x1.mp4\nrenders/intro-16x9.mp4\n',
  })
  expect(stderr).toMatch(/^[1-3]\/3 shapes: 9:16, renders\/intro-9x16\.mp4$/m)
  expect(stderr).toMatch(/^1:1: 15 frames, 0\.5 s of video/m)
  expect(stderr).toContain('done: 3 of 3 shapes\n')
  expect(await filesIn(join(folder, 'renders'))).toEqual(['intro-16x9.mp4', 'intro-1x1.mp4', 'intro-9x16.mp4'])
  const again = await render(folder, '--shapes', '9:16,1:1')
  for (const shape of ['9:16, renders/intro-9x16.mp4', '1:1, renders/intro-1x1.mp4'])
    expect(again.stderr).toContain(`/2 shapes: ${shape}, all of it reused\n`)
})

test.each([
  ['out/film.mp4', ['film-1x1.mp4', 'film-9x16.mp4']],
  ['out/{shape}-film.mp4', ['1x1-film.mp4', '9x16-film.mp4']],
])('the output %s has a place for each shape', async (output, files) => {
  const folder = await makeFolder()
  expect(await render(folder, '--shapes', '9:16,1:1', '-o', output)).toMatchObject({ code: 0 })
  expect(await filesIn(join(folder, 'out'))).toEqual(files)
})

test('one shape is a render as any other, at the path that was named', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': paint.replace(/}$/, ", render: { shapes: '9:16' } }") })
  const { stdout, stderr } = await render(folder, '-o', 'tall.mp4', '--json')
  expect(stderr).toBe('')
  expect(eventsOf(stdout).at(-1)).toMatchObject({ type: 'render-complete', outputPath: join(folder, 'tall.mp4') })
  expect((await render(folder)).stdout).toBe('renders/intro-9x16.mp4\n')
  expect((await render(folder, '--shapes', '1:1', '-o', 'out/{shape}.mp4')).stdout).toBe('out/1x1.mp4\n')
})

test('--json ends with a list of the results, after one event for each', async () => {
  const folder = await makeFolder()
  const { code, stdout } = await render(folder, '--shapes', '9:16,1:1', '--json')
  expect(code).toBe(0)
  const events = eventsOf(stdout)
  const outputs = ['9x16', '1x1'].map((name) => join(folder, `renders/intro-${name}.mp4`))
  const complete = events.filter(({ type }) => type === 'render-complete')
  expect(complete.map(({ outputPath }) => outputPath).sort()).toEqual(outputs.toSorted())
  expect(new Set(complete.map(({ renderId }) => renderId)).size).toBe(2)
  expect(events.at(-1)).toEqual({
    type: 'shapes-complete',
    total: 2,
    completed: 2,
    failed: 0,
    skipped: 0,
    results: ['9:16', '1:1'].map((shape, index) => ({
      shape,
      status: 'completed',
      outputPath: outputs[index],
      durationMs: 500,
      renderTimeMs: expect.any(Number),
      error: null,
    })),
  })
})

test('a shape that fails is named, and the others are kept', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': failing })
  const { code, stdout, stderr } = await render(folder, '--shapes', '16:9,9:16,1:1')
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'renders/intro-16x9.mp4\nrenders/intro-1x1.mp4\n' })
  expect(stderr).toMatch(/^[1-3]\/3 shapes: 9:16 failed: VID_PLUGIN_FAILED: .*it is too tall/m)
  expect(stderr).toContain('done: 2 of 3 shapes, 1 failed\n')
  expect(stderr).toContain('error VID_SHAPES_FAILED: 1 of 3 shapes failed: 9:16.')
  expect(await filesIn(join(folder, 'renders'))).toEqual(['intro-16x9.mp4', 'intro-1x1.mp4'])
  const json = eventsOf((await render(folder, '--shapes', '16:9,9:16', '--json')).stdout)
  expect(json.find(({ type }) => type === 'shapes-complete')).toMatchObject({
    completed: 1,
    failed: 1,
    results: [{ status: 'completed' }, { status: 'failed', error: { code: 'VID_PLUGIN_FAILED' } }],
  })
  expect(json.at(-1)).toMatchObject({ type: 'render-error', error: { code: 'VID_SHAPES_FAILED' } })
})

test.each([
  ['a shape that is not declared', ['--shapes', '16:9,4:5'], 'VID_SHAPE_UNDECLARED', 'declares 16:9, 9:16'],
  ['several shapes of one size', ['--shapes', '16:9,9:16', '--resolution', '32x18'], 'VID_SHAPES_RESOLUTION', '32x18'],
  ['a shape of rows', ['--shapes', '16:9,4:5', '--batch', 'rows.json'], 'VID_SHAPE_UNDECLARED', 'declares 16:9, 9:16'],
  [
    'rows at one path',
    ['--shapes', '16:9,9:16', '--batch', 'two.json', '-o', 'out/film.mp4'],
    'VID_BATCH_ROW',
    'they make the same file',
  ],
  ['several shapes that are served', ['--shapes', '16:9,9:16', '--serve'], 'VID_SHAPES_SEVERAL', '16:9, 9:16'],
  ['no shape', ['--shapes', '9x16'], 'VID_FLAG_INVALID', 'shapes of whole numbers'],
])('%s is refused before anything is rendered', async (_title, args, code, part) => {
  const folder = await makeFolder({
    'vid.config.mjs': paint,
    'rows.json': '[{}]',
    'two.json': '[{}, {}]',
    'intro/index.html': declaring('16:9,9:16'),
  })
  const run = await render(folder, ...args)
  expect(run.stderr).toContain(`error ${code}: `)
  expect(run.stderr).toContain(part)
  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' })
  await expect(access(join(folder, 'renders'))).rejects.toThrow()
})

test('each row of a batch is rendered in each shape, and the manifest says which is which', async () => {
  const folder = await makeFolder({ 'rows.json': '[{"name":"ada"},{"name":"bo"}]' })
  const batch = ['--shapes', '16:9,9:16', '--batch', 'rows.json', '-o', 'out/{name}.mp4']
  const { code, stdout, stderr } = await render(folder, ...batch)
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'out/manifest.json\n' })
  expect(stderr).toContain('/4 videos: row 1 in 9:16, out/bo-9x16.mp4')
  expect(stderr).toContain('done: 4 of 4 videos\n')
  const files = ['ada-16x9.mp4', 'ada-9x16.mp4', 'bo-16x9.mp4', 'bo-9x16.mp4']
  expect(await filesIn(join(folder, 'out'))).toEqual([...files, 'manifest.json'])
  const { rows } = JSON.parse(await readFile(join(folder, 'out/manifest.json'), 'utf8'))
  expect(rows).toMatchObject([
    { index: 0, row: 0, shape: '16:9', status: 'completed', variables: { name: 'ada' } },
    { index: 1, row: 0, shape: '9:16', status: 'completed', variables: { name: 'ada' } },
    { index: 2, row: 1, shape: '16:9', status: 'completed', variables: { name: 'bo' } },
    { index: 3, row: 1, shape: '9:16', outputPath: join(folder, 'out/bo-9x16.mp4'), variables: { name: 'bo' } },
  ])
  const alone = await render(folder, '--shapes', '9:16', '--variables', '{"name":"bo"}', '-o', 'alone.mp4')
  expect(alone.code, alone.stderr).toBe(0)
  expect(await readFile(join(folder, 'alone.mp4'))).toEqual(await readFile(join(folder, 'out/bo-9x16.mp4')))
})

test('one shape of rows stays a batch of rows', async () => {
  const folder = await makeFolder({ 'rows.json': '[{},{}]' })
  const { stderr } = await render(folder, '--shapes', '9:16', '--batch', 'rows.json')
  expect(stderr).toContain('done: 2 of 2 rows\n')
  const { rows } = JSON.parse(await readFile(join(folder, 'renders/manifest.json'), 'utf8'))
  expect(rows.map((row: object) => 'row' in row)).toEqual([false, false])
  expect(await filesIn(join(folder, 'renders'))).toEqual(['intro-0-9x16.mp4', 'intro-1-9x16.mp4', 'manifest.json'])
})

test('an inspection shows the plan of one shape, and refuses several', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': paint, 'intro/index.html': declaring('16:9,9:16') })
  const inspect = (...args: string[]) => vid(folder, 'inspect', 'intro', '--json', ...args)
  const [tall] = eventsOf((await inspect('--shapes', '9:16')).stdout)
  expect(tall).toMatchObject({ plan: { composition: { shape: '9:16' }, width: 16, height: 28 } })
  expect(await inspect('--shapes', '9:16,16:9')).toMatchObject({ code: 2 })
})

test('rows of a batch are rendered in one shape', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': paint, 'rows.json': '[{"title":"a"},{"title":"b"}]' })
  const batch = ['--batch', 'rows.json', '--shapes', '9:16', '-o']
  expect(await render(folder, ...batch, 'out/{title}-{shape}.mp4')).toMatchObject({ code: 0 })
  expect(await filesIn(join(folder, 'out'))).toEqual(['a-9x16.mp4', 'b-9x16.mp4', 'manifest.json'])
})

test('Ctrl-C ends all shapes, and leaves neither an output nor scratch files', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': sleep })
  const { child, done } = startVid(folder, ['render', 'intro', '--shapes', '9:16,1:1', '--json'])
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk) => String(chunk).includes('"stage":"render"') && resolve()),
  )
  child.kill('SIGINT')
  const { code, stdout } = await done
  expect(code).toBe(130)
  expect(eventsOf(stdout).at(-1)).toMatchObject({ type: 'render-error', error: { code: 'VID_CANCELLED' } })
  expect((await readdir(join(folder, 'tmp'))).filter((name) => name.startsWith('vid-'))).toEqual([])
  await expect(access(join(folder, 'renders'))).rejects.toThrow()
})

test('each shape is drawn at its size', async () => {
  const folder = await makeFolder()
  await render(folder, '--shapes', '9:16', '-o', 'tall.mp4', '--quiet')
  expect([...(await readFile(join(folder, 'tall.mp4')))]).toEqual([...Array(15).keys()])
})
