import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '@vid/render'
import { expect, test } from 'vitest'
import { longTest } from '../../../../../../scripts/dev/part-of.ts'
import { eventsOf, makeFolder, paint, sleep, startVid, vid } from '../../fixtures/project.ts'

const rowsFile = (rows: unknown) => ({ 'rows.json': JSON.stringify(rows) })
// Fails for a row whose title is "broken", and records how many run at once.
const config = paint.replace(
  /export default \{/,
  `let running = 0
const watcher = {
  ...bytes(), name: 'fixture-watcher', role: 'plugin', optionsSchema: undefined, options: {},
  setup(hooks) {
    hooks.resolve.tap('fixture-watcher', (values) => {
      if (values.title === 'broken') throw new Error('no such title')
      return values
    })
  },
}
export default { plugins: [watcher],`,
)
const makeBatch = (rows: unknown, files: Record<string, string> = {}) =>
  makeFolder({ 'vid.config.mjs': config, ...rowsFile(rows), ...files })
const readManifest = async (...path: string[]) => JSON.parse(await readFile(join(...path), 'utf8')) as Manifest
const render = (folder: string, ...args: string[]) => vid(folder, 'render', 'intro', '--batch', 'rows.json', ...args)
const names = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `t${n}` }))

test('each row is written to the path made of its values, and the manifest lists all rows', async () => {
  const rows = [{ title: 'one', count: 2 }, { title: 'two' }]
  const folder = await makeBatch({ rows })
  const { code, stdout, stderr } = await render(folder, '-o', 'out/{title}/{index}.mp4')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'out/manifest.json\n' })
  expect(stderr).toMatch(/^[12]\/2 rows: row 0, out\/one\/0\.mp4$/m)
  expect(stderr).toContain('done: 2 of 2 rows')
  const { stderr: again } = await render(folder, '-o', 'again/{title}/{index}.mp4')
  for (const row of ['row 0, again/one/0.mp4', 'row 1, again/two/1.mp4'])
    expect(again).toContain(`/2 rows: ${row}, all of it reused\n`)
  for (const path of ['out/one/0.mp4', 'out/two/1.mp4']) expect(await readFile(join(folder, path))).toHaveLength(15)
  const manifest = await readManifest(folder, 'out/manifest.json')
  expect(manifest).toMatchObject({
    version: 1,
    batchPath: join(folder, 'rows.json'),
    manifestPath: join(folder, 'out/manifest.json'),
    total: 2,
    completed: 2,
    failed: 0,
    skipped: 0,
  })
  expect(manifest.rows[1]).toEqual({
    index: 1,
    status: 'completed',
    outputPath: join(folder, 'out/two/1.mp4'),
    durationMs: 500,
    renderTimeMs: expect.any(Number),
    error: null,
    variables: { title: 'two' },
    // A plugin of the config may bring in other values.
    plan: null,
    files: [{ path: join(folder, 'out/two/1.mp4'), bytes: 15, modifiedMs: expect.any(Number) }],
    startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    completedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test('without a path, rows are numbered', async () => {
  const folder = await makeBatch(names(2))
  await render(folder)
  expect((await readdir(join(folder, 'renders'))).sort()).toEqual(['intro-0.mp4', 'intro-1.mp4', 'manifest.json'])
})

test('a failed row does not stop the others, and the exit code is 1', async () => {
  const folder = await makeBatch([{ title: 'a' }, { title: 'broken' }, { title: 'c' }])
  const { code, stderr, stdout } = await render(folder, '--json')
  expect(code).toBe(1)
  expect(stderr).toContain('error VID_BATCH_FAILED: 1 of 3 rows failed')
  const manifest = await readManifest(folder, 'renders/manifest.json')
  expect(manifest.rows.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed'])
  expect(manifest.rows[1]).toMatchObject({
    error: { code: 'VID_PLUGIN_FAILED', message: expect.stringContaining('no such title') },
    durationMs: null,
  })
  const events = eventsOf(stdout)
  const ends = events.filter(({ type }) => type !== 'batch-row-progress')
  const typesOf = (row?: number) => ends.filter(({ index }) => index === row).map(({ type }) => type)
  expect(typesOf(0)).toEqual(['batch-row-start', 'batch-row-complete'])
  expect(typesOf(1)).toEqual(['batch-row-start', 'batch-row-error'])
  expect(typesOf(2)).toEqual(['batch-row-start', 'batch-row-complete'])
  expect(typesOf()).toEqual(['batch-complete', 'render-error'])
  expect(ends.at(-2)).toMatchObject({ total: 3, completed: 2, failed: 1, skipped: 0 })
})

test('with --batch-fail-fast the rows after a failure are skipped', async () => {
  const folder = await makeBatch([{ title: 'broken' }, { title: 'b' }, { title: 'c' }])
  const { code, stderr } = await render(folder, '--batch-fail-fast')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^1\/3 rows: row 0 failed: VID_PLUGIN_FAILED: .*no such title/m)
  expect(stderr).toContain('done: 0 of 3 rows, 1 failed, 2 skipped from row 1 on\n')
  const manifest = await readManifest(folder, 'renders/manifest.json')
  expect(manifest.rows.map(({ status }) => status)).toEqual(['failed', 'skipped', 'skipped'])
  expect(manifest).toMatchObject({ completed: 0, failed: 1, skipped: 2 })
})

test('one row more than may capture at once is planned meanwhile, and waits', async () => {
  const latched = paint.replace(
    /export default \{ capture: painter\(\)/,
    `import { writeFileSync } from 'node:fs'
let capturing = 0
let maxCapturing = 0
let planned = 0
const inner = painter()
const capture = {
  ...inner,
  async open(...given) {
    const session = await inner.open(...given)
    return {
      ...session,
      async *frames(...range) {
        maxCapturing = Math.max(maxCapturing, ++capturing)
        const last = range[0].start + range[0].frames - 1
        for await (const frame of session.frames(...range)) {
          if (frame.index === last) capturing -= 1
          yield frame
        }
        writeFileSync(new URL('max-capturing.txt', import.meta.url), String(maxCapturing))
      },
    }
  },
}
let release
const all = new Promise((resolve) => { release = resolve })
const watcher = {
  ...bytes(), name: 'fixture-watcher', role: 'plugin', optionsSchema: undefined, options: {},
  setup(hooks) {
    hooks.plan.tap({ name: 'fixture-watcher', stage: 200 }, (plan) => {
      if (++planned === 3) release()
      return plan
    })
    // Two rows cannot go on before a third is planned.
    hooks.execute.tapPromise('fixture-watcher', () => all)
  },
}
export default { plugins: [watcher], capture`,
  )
  const folder = await makeFolder({ 'vid.config.mjs': latched, ...rowsFile(names(6)) })
  const { code, stderr } = await render(folder, '--batch-concurrency', '2')
  expect(code, stderr).toBe(0)
  expect(await readFile(join(folder, 'max-capturing.txt'), 'utf8')).toBe('2')
})

test('one row at a time and four at a time give the same files', async () => {
  const filesOf = async (concurrency: string) => {
    const folder = await makeBatch(names(6))
    await render(folder, '--batch-concurrency', concurrency)
    const videos = names(6).map((_, n) => readFile(join(folder, `renders/intro-${n}.mp4`)))
    return (await Promise.all(videos)).map((bytes) => bytes.toString('hex'))
  }
  expect(await filesOf('4')).toEqual(await filesOf('1'))
})

test.each([
  ['a row that is no object', [{}, 7, null], '{index}.mp4', ['Row 1 ', 'a number', 'Row 2 ', 'null']],
  ['a missing value', [{ title: 'a' }, {}], '{title}.mp4', ['Row 1 ', 'has no "title"']],
  ['an inherited value', [{}], '{constructor}.mp4', ['Row 0 ', 'has no "constructor"']],
  ['a path separator', [{ title: 'a/b' }, { title: 'a\\b' }], '{title}.mp4', ['Rows 0 and 1 ', 'separator']],
  ['a step upwards', [{ title: '..' }], '{title}/x.mp4', ['Row 0 ', '".."']],
  ['a control character', [{ title: 'a\u0007' }], '{title}.mp4', ['control character']],
  ['a device name', [{ title: 'NUL' }, { title: 'com1.x' }], '{title}.mp4', ['Rows 0 and 1 ', 'device']],
  ['an empty value', [{ title: ' ' }], '{title}.mp4', ['cannot be empty']],
  ['a value that is a list', [{ title: [1] }], '{title}.mp4', ['a text, a number or a boolean']],
  ['equal paths', [{ title: 'A' }, { title: 'a' }], '{title}.mp4', ['Rows 0 and 1 ', 'they make the same file']],
  ['no placeholder', [{}, {}, {}], 'x.mp4', ['Rows 0, 1 and 2 ', 'they make the same file', 'x.mp4']],
  ['the path of the manifest', [{ title: 'Manifest.JSON' }], 'o/{title}', ['also that of the manifest']],
])('%s is refused before anything is rendered', async (_, rows, template, words) => {
  const folder = await makeBatch(rows)
  const { code, stderr } = await render(folder, '-o', template, '--format', 'mp4')
  expect(code).toBe(2)
  for (const word of words) expect(stderr).toContain(word)
  expect((await readdir(folder)).sort()).toEqual(['intro', 'node_modules', 'rows.json', 'tmp', 'vid.config.mjs'])
})

test('with --strict-variables, all wrong values of all rows are reported first', async () => {
  const folder = await makeBatch([{ title: 'a' }, { count: 'two' }, { mood: 'wild', colour: 1 }])
  const { code, stderr } = await render(folder, '--strict-variables')
  expect(code).toBe(2)
  for (const word of ['Row 1 ', 'count', 'Row 2 ', 'mood', 'colour']) expect(stderr).toContain(word)
  await expect(stat(join(folder, 'renders'))).rejects.toThrow()
})

test.each([
  ['no JSON', '[{', 'VID_BATCH_JSON'],
  ['a text', '"rows"', 'VID_BATCH_SHAPE'],
  ['rows that are no list', '{"rows":{}}', 'VID_BATCH_SHAPE'],
  ['no rows', '{"rows":[]}', 'VID_BATCH_EMPTY'],
])('a file with %s is refused', async (_, text, code) => {
  const folder = await makeFolder({ 'vid.config.mjs': config, 'rows.json': text })
  const run = await render(folder)
  expect(run.code).toBe(2)
  expect(run.stderr).toContain(`error ${code}: `)
})

test('a file that is not there, or is a folder, is named', async () => {
  const folder = await makeBatch([])
  const missing = await vid(folder, 'render', 'intro', '--batch', 'none.json')
  expect(missing.stderr).toContain('VID_BATCH_UNREADABLE: The batch file "none.json"')
  await mkdir(join(folder, 'all'))
  const other = await vid(folder, 'render', 'intro', '--batch', 'all')
  expect(other.stderr).toContain('VID_BATCH_UNREADABLE')
})

/** A hundred with `npm run lab -- batch-kills`. */
const KILLS = Number(process.env.VID_BATCH_KILLS ?? 3)

longTest(
  'whenever the command is killed, the manifest parses and matches the files',
  {
    timeout: 120_000 + KILLS * 5_000,
  },
  async () => {
    const folder = await makeBatch(names(400))
    const path = join(folder, 'renders/manifest.json')
    for (let round = 0; round < KILLS; round += 1) {
      const { child, done } = startVid(folder, ['render', 'intro', '--batch', 'rows.json'])
      const target = 1 + Math.floor(Math.random() * 40)
      let output = ''
      const rowsTold = () => output.match(/^\d+\/400 rows: row \d+,/gm)?.length ?? 0
      const enough = new Promise<void>((resolve) => {
        child.stderr?.on('data', (chunk: Buffer) => {
          output += chunk.toString()
          if (rowsTold() >= target) resolve()
        })
      })
      await Promise.race([enough, done])
      child.kill('SIGKILL')
      await done
      const { rows, completed, total } = await readManifest(path)
      const finished = rows.filter(({ status }) => status === 'completed')
      expect(total).toBe(400)
      expect(finished).toHaveLength(completed)
      expect(completed, output).toBeGreaterThanOrEqual(target)
      for (const { outputPath } of finished) expect(await readFile(outputPath)).toHaveLength(15)
    }
  },
)

test('an interrupt ends the running row, and the rest stays pending', async () => {
  const folder = await makeBatch(names(3000))
  const { child, done } = startVid(folder, ['render', 'intro', '--batch', 'rows.json'])
  await new Promise<void>((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => chunk.toString().includes('2/3000') && resolve())
  })
  child.kill('SIGINT')
  expect((await done).code).toBe(130)
  const { rows, completed } = await readManifest(folder, 'renders/manifest.json')
  expect(completed).toBeGreaterThan(1)
  expect(rows.filter(({ status }) => status === 'running')).toEqual([])
  expect(rows.at(-1)?.status).toBe('pending')
  expect(rows.filter(({ status }) => status === 'failed')).toEqual([])
})

test('a row that is interrupted while it captures is recorded as cancelled, not as failed', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': sleep, ...rowsFile(names(3)) })
  const { child, done } = startVid(folder, ['render', 'intro', '--batch', 'rows.json', '--json'])
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => chunk.toString().includes('"stage":"render"') && resolve())
  })
  child.kill('SIGINT')
  const { code, stdout } = await done
  expect(code).toBe(130)
  expect(stdout).toContain('{"type":"batch-row-cancelled","index":0,')
  const { rows, failed, cancelled } = await readManifest(folder, 'renders/manifest.json')
  expect({ failed, cancelled }).toEqual({ failed: 0, cancelled: 1 })
  expect(rows.map(({ status }) => status)).toEqual(['cancelled', 'pending', 'pending'])
  expect(await readdir(join(folder, 'renders'))).toEqual(['manifest.json'])
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

// Captures until it is aborted, and starts no process.
const endless = paint.replace('capture: painter()', 'capture').replace(
  /export default \{/,
  `import { once } from 'node:events'
const capture = {
  ...painter(),
  open: async (plan, { signal }) => ({
    probe: async () => ({ duration: null, stateful: false }),
    async *frames() {
      const alive = setInterval(() => {}, 1000)
      await once(signal, 'abort').finally(() => clearInterval(alive))
      throw signal.reason
    },
    close: async () => {},
  }),
}
export default {`,
)

test('a second batch with the same manifest is refused while the first runs, also after that was killed once', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': endless, ...rowsFile(names(2)) })
  const run = async () => {
    const first = startVid(folder, ['render', 'intro', '--batch', 'rows.json', '--json'])
    await new Promise<void>((resolve) => {
      first.child.stdout?.on('data', (chunk: Buffer) => chunk.toString().includes('batch-row-start') && resolve())
    })
    const statuses = async () => (await readManifest(folder, 'renders/manifest.json')).rows.map(({ status }) => status)
    await expect.poll(statuses, { timeout: 60_000 }).toEqual(['running', 'pending'])
    const before = await readFile(join(folder, 'renders/manifest.json'), 'utf8')
    const second = await render(folder)
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`error VID_BATCH_RUNNING: Another batch, process ${first.child.pid} on `)
    expect(await readFile(join(folder, 'renders/manifest.json'), 'utf8')).toBe(before)
    return first
  }
  const killed = await run()
  killed.child.kill('SIGKILL')
  await killed.done
  const stopped = await run()
  stopped.child.kill('SIGINT')
  expect((await stopped.done).code).toBe(130)
  expect(await readdir(join(folder, 'renders'))).toEqual(['manifest.json'])
})

// The third row puts a folder where the manifest is, and the others that run wait for that.
const unwritable = paint.replace(
  /export default \{/,
  `import { mkdirSync, rmSync } from 'node:fs'
let release
const replaced = new Promise((resolve) => { release = resolve })
const breaker = {
  ...bytes(), name: 'fixture-breaker', role: 'plugin', optionsSchema: undefined, options: {},
  setup(hooks) {
    let title
    hooks.resolve.tap('fixture-breaker', (values) => {
      title = values.title
      return values
    })
    hooks.done.tapPromise('fixture-breaker', async () => {
      if (title === 't3') return replaced
      if (title !== 't2') return
      const manifest = new URL('renders/manifest.json', import.meta.url)
      // Another row may write the manifest between the two.
      for (let isReplaced = false; !isReplaced; )
        try {
          rmSync(manifest, { force: true })
          mkdirSync(manifest)
          isReplaced = true
        } catch (thrown) {
          if (thrown.code !== 'EEXIST') throw thrown
        }
      setImmediate(release)
    })
  },
}
export default { plugins: [breaker],`,
)

test('a manifest that cannot be written any more ends the batch, and no finished video is lost', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': unwritable, ...rowsFile(names(40)) })
  const { code, stderr, stdout } = await render(folder, '--json', '--batch-concurrency', '2')
  expect(code).toBe(1)
  expect(stderr).toMatch(/error VID_MANIFEST_UNWRITABLE: .*manifest\.json cannot be written: .*videos are finished/)
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; outputPath: string })
  const of = (type: string) => events.filter((event) => event.type === type).map(({ outputPath }) => outputPath)
  expect(of('batch-row-complete').sort()).toEqual(of('batch-row-start').sort())
  expect(of('batch-row-complete').length).toBeGreaterThanOrEqual(4)
  expect(of('batch-row-complete').length).toBeLessThan(10)
  for (const path of of('batch-row-complete')) expect(await readFile(path)).toHaveLength(15)
  expect(of('batch-complete')).toEqual([])
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
  const videos = (await readdir(join(folder, 'renders'))).filter((name) => name.endsWith('.mp4'))
  expect(videos).toHaveLength(of('batch-row-complete').length)
})

test('wrong values of all rows are reported before the first row starts', async () => {
  const folder = await makeBatch([{ title: 'a' }, { count: 'two' }, { mood: 'wild' }, { count: 11 }])
  const { code, stderr } = await render(folder)
  expect(code).toBe(0)
  const lines = stderr.split('\n')
  const before = lines
    .slice(
      0,
      lines.findIndex((line) => line.startsWith('1/4 rows')),
    )
    .join('\n')
  expect(before).toContain('VID_VARIABLE_TYPE_MISMATCH: Row 1: ')
  expect(before).toContain('VID_VARIABLE_ENUM_OUT_OF_RANGE: Row 2: ')
  expect(before).toContain('VID_VARIABLE_OUT_OF_RANGE: Row 3: ')
  expect(stderr.match(/VID_VARIABLE_/g)).toHaveLength(3)
})
