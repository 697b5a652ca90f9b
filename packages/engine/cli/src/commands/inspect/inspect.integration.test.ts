import { readFile } from 'node:fs/promises'
import type { EventOf } from '@vid/protocol'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, paint, vid } from '../../fixtures/project.ts'

const inspect = async (folder: string, ...args: string[]) =>
  eventsOf((await vid(folder, 'inspect', 'intro', '--json', ...args)).stdout)[0] as unknown as EventOf<'inspect'>

test('inspect lists each value with its source, the plugins, the plan, the taps and the times', async () => {
  const folder = await makeFolder({
    'vid.config.mjs': paint.replace(/}$/, ", render: { quality: 'high' } }"),
  })
  const report = await inspect(folder, '--fps', '24', '--variables', '{"title":"a"}')
  expect(report.config).toMatchObject({
    capture: { value: 'fixture-painter', source: 'config' },
    'render.quality': { value: 'high', source: 'config' },
    'render.fps': { value: 24, source: 'flag --fps' },
    'render.variables': { value: { title: 'a' }, source: 'flag --variables' },
    'render.entry': { value: 'index.html', source: 'default' },
  })
  expect(report.plugins).toContainEqual({ role: 'capture', name: 'fixture-painter', options: {} })
  expect(report.plan).toMatchObject({
    width: 16,
    height: 16,
    fps: 24,
    frames: 12,
    variables: { title: 'a', count: 1 },
  })
  expect(report.planHash).toMatch(/^[0-9a-f]{64}$/)
  expect(report.taps).toContainEqual({ hook: 'plan', plugin: '@vid/core', stage: -100 })
  expect(report.taps.filter(({ hook }: { hook: string }) => hook === 'execute')).toEqual([
    { hook: 'execute', plugin: '@vid/render-sources', stage: -1e6 },
    { hook: 'execute', plugin: '@vid/render-results', stage: -1e6 },
    { hook: 'execute', plugin: '@vid/target-local', stage: 0 },
    { hook: 'execute', plugin: '@vid/kernel', stage: 'last' },
  ])
  expect(report.timings).toContainEqual(expect.objectContaining({ plugin: '@vid/core', hook: 'plan', calls: 1 }))
})

test('secrets in options are never shown', async () => {
  const folder = await makeFolder()
  const text = (await vid(folder, 'inspect', 'intro')).stdout
  const report = await inspect(folder)
  expect(text).toContain('fixture-bytes')
  expect(text + JSON.stringify(report)).not.toContain('hush')
  expect(report.plugins).toContainEqual({
    role: 'encoder',
    name: 'fixture-bytes',
    options: { token: '(secret)' },
  })
})

test('--no-plan opens no page', async () => {
  const report = await inspect(await makeFolder(), '--no-plan')
  expect(report).toMatchObject({ plan: null, planHash: null })
  expect(report.timings.map(({ hook }: { hook: string }) => hook)).not.toContain('capture')
})

test('no line is wider than a terminal, and truncated values are complete with --json', async () => {
  const folder = await makeFolder({ 'intro/v.json': JSON.stringify({ title: 'long '.repeat(60) }) })
  const flags = ['--variables-file', 'intro/v.json']
  const { stdout } = await vid(folder, 'inspect', 'intro', ...flags)
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThan(160)
  expect(stdout).toMatch(/render\.variables .*long long .*…\n/)
  expect(JSON.stringify(await inspect(folder, ...flags))).toContain('long '.repeat(60))
})

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect(await vid(await makeFolder(), '--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test('--short shows what this render sets, and its plan, in a few lines', async () => {
  const { code, stdout } = await vid(await makeFolder(), 'inspect', 'intro', '--short', '--fps', '25')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ {2}render\.fps +flag --fps +25$/m)
  expect(stdout).toMatch(/^ {2}size .* 25 fps$/m)
  expect(stdout).not.toMatch(/taps|timings| default /)
  expect(stdout.split('\n').length).toBeLessThan(30)
})
