import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { crash, deaf, eventsOf, makeFolder, page, paint, sleep, startVid, vid } from '../../fixtures/project.ts'

/** Remaining scratch folders of renders. */
const scratchOf = async (folder: string) =>
  (await readdir(join(folder, 'tmp'))).filter((name) => name.startsWith('vid-'))
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('the result is at renders/<folder>.mp4, and stdout holds only its path', async () => {
  const folder = await makeFolder()
  const { code, stdout, stderr } = await vid(folder, 'render', 'intro')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'renders/intro.mp4\n' })
  expect([...(await readFile(join(folder, 'renders/intro.mp4')))]).toEqual([...Array(15).keys()])
  expect(stderr).toMatch(
    /^planning\nrendering\n(rendering \d+\/15 frames.*\n)+joining\ndelivering\ndone: 15 frames, 0\.5 s/,
  )
  expect(stderr).not.toContain('\u001b')
  expect(await scratchOf(folder)).toEqual([])
})

test('flags win over the config, and short forms work', async () => {
  const folder = await makeFolder({
    'vid.config.mjs': paint.replace(/}$/, ', render: { fps: 30 } }'),
    'intro/b.html': page,
  })
  const { code } = await vid(
    folder,
    'render',
    'intro',
    '-f',
    '60',
    '-q',
    'draft',
    '-w',
    '1',
    '-c',
    'b.html',
    '-o',
    'a.mp4',
  )
  expect(code).toBe(0)
  expect(await readFile(join(folder, 'a.mp4'))).toHaveLength(30)
})

test('--json writes only events to stdout', async () => {
  const folder = await makeFolder()
  const { code, stdout, stderr } = await vid(folder, 'render', 'intro', '--json', '--variables', '{"titel":1}')
  const all = eventsOf(stdout)
  expect(code).toBe(0)
  expect(new Set(all.map(({ type }) => type))).toEqual(
    new Set(['render-start', 'render-progress', 'segment-complete', 'render-complete']),
  )
  expect(new Set(all.map(({ renderId }) => renderId)).size).toBe(1)
  const shares = all.flatMap(({ progress }) => (progress === undefined ? [] : [progress as number]))
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(all.at(0)).toMatchObject({ type: 'render-start', outputPath: join(folder, 'renders/intro.mp4') })
  expect(all.at(-1)).toEqual({
    type: 'render-complete',
    renderId: all[0]?.renderId,
    outputPath: join(folder, 'renders/intro.mp4'),
    fileSize: 15,
    durationMs: 500,
    renderTimeMs: expect.any(Number),
    frames: 15,
    timings: expect.arrayContaining([
      { plugin: 'fixture-painter', hook: 'capture', calls: expect.any(Number), ms: expect.any(Number) },
    ]),
    warnings: [expect.objectContaining({ code: 'VID_VARIABLE_UNDECLARED' })],
  })
  expect(stderr).toMatch(/^warning VID_VARIABLE_UNDECLARED: .*"titel".*\n {2}hint: .*\n$/)
})

test.each([
  ['a missing folder', ['absent'], 'VID_PROJECT_MISSING'],
  ['a wrong flag', ['intro', '--fps', '241'], 'VID_FLAG_INVALID'],
  ['an unknown flag', ['intro', '--fpss', '29'], 'VID_FLAG_UNKNOWN'],
  ['an unknown target', ['intro', '--target', 'moon'], 'VID_TARGET_UNKNOWN'],
])('with --json, %s ends in one render-error on stdout', async (_, args, code) => {
  const folder = await makeFolder()
  const run = await vid(folder, 'render', '--json', ...args)
  const all = eventsOf(run.stdout)
  expect(run.code).toBe(2)
  expect(all.filter(({ type }) => type === 'render-error')).toHaveLength(1)
  expect(all.at(-1)).toMatchObject({ error: { code, message: expect.any(String), hint: expect.any(String) } })
  expect(run.stderr).toContain(`error ${code}: `)
})

test('--quiet prints only errors and the result', async () => {
  const folder = await makeFolder()
  const done = await vid(folder, 'render', 'intro', '--quiet', '--variables', '{"titel":1}')
  expect(done).toEqual({ code: 0, stdout: 'renders/intro.mp4\n', stderr: '' })
  const failed = await vid(folder, 'render', 'absent', '--quiet')
  expect(failed.stderr).toMatch(/^error VID_PROJECT_MISSING/)
})

test.each([
  ['{"titel":"a"}', 'VID_VARIABLE_UNDECLARED', ['"titel"', 'not declared']],
  ['{"count":"a"}', 'VID_VARIABLE_TYPE_MISMATCH', ['"count"', 'a finite number', 'string']],
  ['{"count":11}', 'VID_VARIABLE_OUT_OF_RANGE', ['"count"', 'at most 10 (max)', '11']],
  ['{"mood":"wild"}', 'VID_VARIABLE_ENUM_OUT_OF_RANGE', ['"mood"', '"calm"', '"wild"']],
])('%s is a warning, and an error with --strict-variables', async (json, warning, parts) => {
  const folder = await makeFolder()
  const mild = await vid(folder, 'render', 'intro', '--variables', json)
  expect(mild.code).toBe(0)
  for (const part of [`warning ${warning}: `, ...parts]) expect(mild.stderr).toContain(part)
  const strict = await vid(folder, 'render', 'intro', '--variables', json, '--strict-variables')
  expect(strict.code).toBeGreaterThan(0)
  for (const part of ['error VID_VARIABLES_STRICT: ', ...parts]) expect(strict.stderr).toContain(part)
})

const encoder = `import { defineEncoder } from '@vid/kernel'
import { painter, bytes } from ${JSON.stringify(new URL('../../fixtures/plugins.mjs', import.meta.url).pathname)}
`
test.each([
  ['a broken config', 'export default {\n  a b\n}', 'VID_CONFIG_BROKEN: vid.config.mjs:2'],
  [
    'a plugin for another kernel',
    `${encoder}export default { capture: { ...painter(), apiVersion: 99 } }`,
    'VID_PLUGIN_API_VERSION: Plugin fixture-painter has apiVersion 99',
  ],
  [
    'an encoder for no format',
    `${encoder}export default { capture: painter(), encoders: [{ ...bytes(), formats: [] }] }`,
    'VID_PLUGIN_INVALID: Plugin fixture-bytes cannot be used: it is an encoder for no format',
  ],
  [
    'two plugins of one name',
    `${encoder}export default { capture: painter(), encoders: [bytes(), bytes()] }`,
    'VID_CONFIG_INVALID: vid.config.mjs is wrong: encoders has two of the name "fixture-bytes"',
  ],
])('%s is refused before anything runs', async (_, config, message) => {
  const folder = await makeFolder({ 'vid.config.mjs': config })
  const { code, stdout, stderr } = await vid(folder, 'render', 'intro')
  expect(stderr).toContain(`error ${message}`)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})

test.each([
  ['no root', '<p>hello</p>', 'VID_COMPOSITION_NO_ROOT'],
  ['no dimensions', page.replace('data-width="16"', ''), 'VID_COMPOSITION_NO_SIZE'],
  ['a length of zero', page.replace('0.5', '0'), 'VID_COMPOSITION_BAD_DURATION'],
  ['an infinite length', page.replace('0.5', 'Infinity'), 'VID_COMPOSITION_BAD_DURATION'],
])('a composition with %s is refused', async (_, html, code) => {
  const folder = await makeFolder({ 'vid.config.mjs': paint, 'intro/index.html': html })
  const run = await vid(folder, 'render', 'intro')
  expect(run.stderr).toMatch(new RegExp(`error ${code}: .*\\n(.*\\n)* {2}hint: `))
  expect(run.code).toBeGreaterThan(0)
})

test.each([
  [['--format', 'avif'], 'VID_FORMAT_UNKNOWN', 'known: mp4'],
  [['--output', 'intro'], 'VID_OUTPUT_KIND', 'The output "intro" is a folder'],
  [
    ['--format', 'png-sequence', '--output', 'intro'],
    'VID_OUTPUT_FOREIGN',
    'The output folder "intro" holds "index.html"',
  ],
  [['--codec', 'vp9'], 'VID_FLAG_INVALID', '--codec'],
  [['--codec', 'hevc', '--format', 'webm'], 'VID_CODEC_FORMAT', 'The codec of webm cannot be chosen; got hevc.'],
  [['--ladder', '720,480'], 'VID_LADDER_FORMAT', 'A ladder of sizes cannot be rendered as mp4.'],
  [['--preset', 'loud'], 'VID_PRESET_UNKNOWN', 'known: standard'],
  [['--target', 'moon'], 'VID_TARGET_UNKNOWN', 'known: local'],
])('%j is refused and says what is known', async (args, code, part) => {
  const folder = await makeFolder()
  const run = await vid(folder, 'render', 'intro', ...args)
  expect(run.stderr).toContain(`error ${code}: `)
  expect(run.stderr).toContain(part)
  expect(run.code).toBe(2)
})

test('a flag without effect on the format, and a misleading name, are warnings', async () => {
  const folder = await makeFolder()
  const { code, stderr } = await vid(folder, 'render', 'intro', '--format', 'mp4', '--gif-loop', '3', '-o', 'out.gif')
  expect(stderr).toContain('warning VID_FLAG_WITHOUT_EFFECT: --gif-loop has no effect on mp4')
  expect(stderr).toContain('warning VID_OUTPUT_MISNAMED: The output "out.gif" will hold mp4, not gif')
  expect(code).toBe(0)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends with %i and leaves neither child, scratch file nor output', async (signal, code) => {
  const folder = await makeFolder({ 'vid.config.mjs': sleep })
  const { child, done } = startVid(folder, ['render', 'intro', '--json'])
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk) => String(chunk).includes('"stage":"render"') && resolve()),
  )
  const pid = Number(await readFile(join(folder, 'pid.txt'), 'utf8'))
  expect(isAlive(pid)).toBe(true)
  child.kill(signal)
  const run = await done
  expect(run.code).toBe(code)
  expect(eventsOf(run.stdout).at(-1)).toMatchObject({
    type: 'render-error',
    error: { code: 'VID_CANCELLED' },
  })
  expect(run.stderr).toContain('error VID_CANCELLED: ')
  expect(isAlive(pid)).toBe(false)
  expect(await scratchOf(folder)).toEqual([])
  await expect(access(join(folder, 'renders'))).rejects.toThrow()
})

test('a second SIGINT ends the process and its children at once, also when a plugin ignores the abort', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': deaf })
  const { child, done } = startVid(folder, ['render', 'intro'])
  child.stderr.on('data', (chunk) => {
    const text = String(chunk)
    if (text.includes('rendering\n') || text.includes('stopping; once more')) child.kill('SIGINT')
  })
  // The child keeps the output of the command open: this settles when both have ended.
  const { code, stderr } = await done
  expect(code).toBe(130)
  expect(stderr).not.toContain('error')
})

test('an error that a plugin throws outside of any promise ends the render cleanly, in its name', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': crash })
  const { code, stderr } = await startVid(folder, ['render', 'intro']).done
  expect(stderr).toContain(
    'error VID_PLUGIN_FAILED: Plugin fixture-crasher in hook plan failed: out of nowhere.\n  plugin: fixture-crasher, hook plan',
  )
  expect(stderr).not.toContain('    at ')
  expect(code).toBe(1)
  expect(await scratchOf(folder)).toEqual([])
})

test('VID_DEBUG=1 adds the stack', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': crash })
  const { stderr } = await startVid(folder, ['render', 'intro'], { VID_DEBUG: '1' }).done
  expect(stderr).toMatch(/Error: out of nowhere\n\s+at .*plugins\.mjs/)
})

test('closing stdout early does not undo the render', async () => {
  const folder = await makeFolder()
  const { child, done } = startVid(folder, ['render', 'intro', '--json'])
  child.stdout.destroy()
  const { code, stderr } = await done
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(await readFile(join(folder, 'renders/intro.mp4'))).toHaveLength(15)
})

test('a config that never finishes loading makes the command fail', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': `await new Promise(() => {})\n${paint}` })
  const { code, stdout, stderr } = await startVid(folder, ['render', 'intro']).done
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('error VID_UNEXPECTED: the command ended without an answer')
})
