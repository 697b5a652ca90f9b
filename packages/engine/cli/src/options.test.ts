import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { renderOptions } from '@vid/command'
import { expect, test } from 'vitest'
import { makeFolder } from './fixtures/project.ts'
import { main } from './index.ts'

const run = async (args: readonly string[], cwd = '/') => {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const context = { stdin: process.stdin, stdout, stderr, env: {}, colorDepth: 1, cwd }
  const unguarded = <T>(load: () => Promise<T>) => load()
  const code = await main(args, { ...context, signal: new AbortController().signal, unguarded })
  stdout.end()
  stderr.end()
  return { code, stdout: await text(stdout), stderr: await text(stderr) }
}

test.each([
  ['--fps', '241', 'a whole number from 1 to 240, or a fraction such as 30000/1001'],
  ['--fps', '30.0', 'a whole number from 1 to 240, or a fraction such as 30000/1001'],
  ['--workers', '0', 'a whole number from 1 to 8, or auto'],
  ['--workers', '9', 'a whole number from 1 to 8, or auto'],
  ['--workers', '-1', 'a whole number from 1 to 8, or auto'],
  ['--crf', '52', 'a whole number from 0 to 51'],
  ['--crf', '1.5', 'a whole number from 0 to 51'],
  ['--crf', '', 'a whole number from 0 to 51'],
  ['--gif-loop', '65536', 'a whole number from 0 to 65535'],
  ['--ladder', '720,720', 'even numbers of pixels from 64 to 4320 with commas such as 1080,720,480, each once'],
  ['--ladder', '720,361', 'even numbers of pixels from 64 to 4320 with commas such as 1080,720,480, each once'],
  ['--ladder', '62', 'even numbers of pixels from 64 to 4320 with commas such as 1080,720,480, each once'],
  ['--ladder', '720p', 'even numbers of pixels from 64 to 4320 with commas such as 1080,720,480, each once'],
  ['--ladder', '', 'even numbers of pixels from 64 to 4320 with commas such as 1080,720,480, each once'],
  ['--loudness', '-4', 'LUFS from -70 to -5 such as -14, or off'],
  ['--loudness', 'loud', 'LUFS from -70 to -5 such as -14, or off'],
  ['--quality', 'best', 'draft, standard or high'],
  ['--video-bitrate', '10 MB', 'bits per second, like 10M or 5000k'],
  ['--video-frame-format', 'webp', 'auto, jpg or png'],
  ['--max-concurrent-renders', '11', 'a whole number from 1 to 10'],
  ['--output', '', 'a path'],
])('%s "%s" is refused with its rule', async (flag, value, rule) => {
  const { code, stdout, stderr } = await run(['render', flag, value])
  expect(stderr).toContain(`error VID_FLAG_INVALID: ${flag}; got "${value}"; expected ${rule}.\n  hint: `)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})

test.each([
  ['--quality', 'hihg', 'high'],
  ['--network', 'privat', undefined],
  ['--format', 'mp5', 'mp4'],
  ['--preset', 'standrad', 'standard'],
  ['--target', 'locl', 'local'],
])('a mistyped value, %s %s, is answered with the nearest one: %s', async (flag, value, near) => {
  const folder = await makeFolder()
  const { code, stderr } = await run(['render', 'intro', flag, value], folder)
  expect(code).toBe(2)
  if (near) expect(stderr).toContain(`hint: Did you mean "${near}"? `)
  else expect(stderr).not.toContain('Did you mean')
})

test('all wrong flags are reported at once', async () => {
  const { code, stderr } = await run(['render', '--fps', '241', '--crf=52', '-w', '9', '--variables', '{'])
  expect(code).toBe(2)
  expect(stderr.match(/^error \S+ \S+/gm)).toEqual([
    'error VID_FLAG_INVALID: --fps;',
    'error VID_FLAG_INVALID: --crf;',
    'error VID_FLAG_INVALID: --workers;',
    'error VID_VARIABLES_JSON: --variables',
  ])
})

test.each([
  [['--crf', '20', '--video-bitrate', '10M'], '--crf and --video-bitrate'],
  [['--hdr', '--sdr'], '--hdr and --sdr'],
  [['--variables', '{}', '--variables-file', 'v.json'], '--variables and --variables-file'],
  [['--batch', 'rows.json', '--variables', '{}'], '--batch and --variables'],
])('%j is a conflict that names both flags', async (args, names) => {
  const { code, stderr } = await run(['render', ...args])
  expect(stderr).toContain(`error VID_FLAG_CONFLICT: ${names} cannot be combined`)
  expect(code).toBe(2)
})

test.each([['--batch-concurrency=2'], ['--batch-fail-fast']])('%s needs --batch', async (flag) => {
  const { code, stderr } = await run(['render', flag])
  expect(stderr).toContain(`VID_FLAG_ALONE: ${flag.split('=')[0]} requires --batch`)
  expect(code).toBe(2)
})

test('values that are the defaults are accepted', async () => {
  const args = ['--no-docker', '--video-frame-format=auto']
  const folder = await makeFolder()
  expect(await run(['render', 'intro', ...args], folder)).toMatchObject({ code: 0 })
})

test('--max-concurrent-renders is accepted for scripts that start a server too, with a warning', async () => {
  const folder = await makeFolder()
  const { code, stderr } = await run(['render', 'intro', '--max-concurrent-renders=3'], folder)
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('warning VID_FLAG_ELSEWHERE: --max-concurrent-renders has no effect here.\n')
})

test.each([
  [['render', '--fpss', '3'], 'VID_FLAG_UNKNOWN: "vid render" has no flag --fpss.\n  hint: Did you mean --fps?'],
  [['render', '--zebra=1'], 'VID_FLAG_UNKNOWN: "vid render" has no flag --zebra.\n  hint: Run "vid render --help"'],
  [['render', '--no-cache', '--zebra', '1'], 'VID_FLAG_UNKNOWN: "vid render" has no flag --zebra.'],
  [['render', '--no-cache=1'], 'VID_USAGE: "vid render" was called wrongly: --no-cache takes no value'],
  [['render', '--gpu=1'], 'VID_USAGE: "vid render" was called wrongly: --gpu takes no value'],
  [['render', '--crf'], 'VID_USAGE: "vid render" was called wrongly: --crf needs a value'],
  [
    ['render', 'a', 'b'],
    'VID_USAGE: "vid render" was called wrongly: "b" is one word too many; a path with spaces needs quotes',
  ],
  [['rendr'], 'VID_COMMAND_UNKNOWN: There is no command "rendr".\n  hint: Did you mean "vid render"?'],
  [['toString'], 'VID_COMMAND_UNKNOWN: There is no command "toString".\n  hint: Run "vid --help"'],
])('%j is answered with what is wrong and what was likely meant', async (args, message) => {
  const { code, stdout, stderr } = await run(args)
  expect(stderr).toContain(`error ${message}`)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})

test('--help lists every flag with its rule and default, and needs no folder', async () => {
  const { code, stdout } = await run(['render', '--help'])
  for (const name of Object.keys(renderOptions)) expect(stdout).toContain(`--${name}`)
  expect(stdout).toMatch(/-f, --fps .*a whole number from 1 to 240.*\(default 30\)/s)
  expect(stdout).toMatch(/--docker .*container of Docker or Podman/s)
  expect(code).toBe(0)
})

test.each([[[]], [['--help']], [['-h']]])('%j lists the commands', async (args) => {
  const { code, stdout } = await run(args)
  expect(stdout).toContain('vid render')
  expect(stdout).toContain('vid inspect')
  expect(code).toBe(0)
})

test.each([
  ['{"a":1,}', 'line 1, column 8'],
  ['{\n  "a": nope\n}', 'line 2, column 8'],
  ['', 'line 1, column 1'],
])('broken variables %j are located', async (json, place) => {
  const { code, stderr } = await run(['render', '--variables', json])
  expect(stderr).toContain('error VID_VARIABLES_JSON: --variables is not JSON: ')
  expect(stderr).toContain(place)
  expect(code).toBe(2)
})

test.each([
  ['[1]', 'an array'],
  ['null', 'null'],
  ['3', 'a number'],
])('variables that are %s are refused', async (json, kind) => {
  const { code, stderr } = await run(['render', '--variables', json])
  expect(stderr).toContain(`VID_VARIABLES_NOT_OBJECT: --variables holds ${kind}; expected an object`)
  expect(code).toBe(2)
})

test('a variables file is read from the current folder, and a wrong one is named', async () => {
  const big = JSON.stringify({ title: 'x'.repeat(1024 * 1024) })
  const folder = await makeFolder({ 'broken.json': '{"title": "a"', 'big.json': big })
  const failure = async (path: string) => (await run(['render', 'intro', '--variables-file', path], folder)).stderr
  expect(await failure('broken.json')).toContain('VID_VARIABLES_JSON: --variables-file "broken.json"')
  expect(await failure('big.json')).toContain('VID_VARIABLES_TOO_LARGE: --variables-file "big.json" has')
  expect(await failure('absent.json')).toContain('VID_VARIABLES_UNREADABLE: --variables-file "absent.json"')
  expect(await failure('intro')).toContain('VID_VARIABLES_UNREADABLE: --variables-file "intro"')
})
