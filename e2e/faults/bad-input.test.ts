import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { here, scratch, vidInProcess as vid, vid as vidAlone } from '../support/vid.ts'

const page = (root: string, more = '') => `<!doctype html><html><body><div ${root}></div>${more}</body></html>`
const good = 'data-composition-id="x" data-width="64" data-height="36" data-duration="1"'

test.each([
  ['no folder', undefined, 'missing'],
  ['an empty folder', '', 'index.html'],
  ['no composition', page(''), 'data-composition-id'],
  ['no width', page('data-composition-id="x" data-height="36" data-duration="1"'), 'data-width'],
  ['a zero height', page('data-composition-id="x" data-width="64" data-height="0" data-duration="1"'), 'data-height'],
  ['no length', page('data-composition-id="x" data-width="64" data-height="36"'), 'duration'],
  [
    'a zero length',
    page('data-composition-id="x" data-width="64" data-height="36" data-duration="0"'),
    'data-duration',
  ],
  [
    'an endless length',
    page('data-composition-id="x" data-width="64" data-height="36" data-duration="Infinity"'),
    'data-duration',
  ],
  [
    'an endless timeline',
    page(
      'data-composition-id="x" data-width="64" data-height="36"',
      '<script>window.__timelines = { x: { duration: () => Infinity, seek() {} } }</script>',
    ),
    'Infinity',
  ],
  ['a root in the head', `<!doctype html><html><head><meta ${good}></head></html>`, '<meta'],
  ['a root that is not displayed', page(`${good} style="display: none"`), 'display: none'],
  [
    'an unknown start',
    page(good, '').replace('></div>', '><p data-start="undefined-clip + 1">a</p></div>'),
    'undefined-clip',
  ],
])('%s is a coded error with a hint', async (name, html, named) => {
  const folder = await scratch()
  const project = name === 'no folder' ? join(folder, 'missing') : join(folder, 'project')
  if (html !== undefined) await mkdir(project)
  if (html) await writeFile(join(project, 'index.html'), html)
  const output = join(folder, 'never.mp4')
  const { code, stderr, stdout } = await vid(['render', project, '-o', output])
  expect(code, stderr).not.toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/VID_[A-Z_]+/)
  expect(stderr).toContain(named)
  expect(stderr).not.toContain('VID_PLUGIN_FAILED')
  expect(stderr).not.toMatch(/^\s+at /m)
})

const declared = `<!doctype html><html data-composition-variables='[
  {"id":"title","type":"string","label":"Title","default":"Hi"},
  {"id":"size","type":"enum","label":"Size","default":"big","options":[{"value":"big","label":"Big"}]}
]'><body><div ${good}></div></body></html>`

test.each([
  ['{"nobody":1}', 'nobody', 'declared'],
  ['{"title":5}', 'string', 'number'],
  ['{"size":"huge"}', 'big', 'huge'],
])('variables %s: a warning that says what was expected, and an error when strict', async (variables, ...words) => {
  const folder = await scratch()
  await writeFile(join(folder, 'index.html'), declared)
  const args = ['render', folder, '-o', join(folder, 'out.mp4'), '--variables', variables]
  const lenient = await vid(args)
  expect(lenient, lenient.stderr).toMatchObject({ code: 0 })
  for (const word of words) expect(lenient.stderr).toContain(word)
  const strict = await vid([...args, '--strict-variables'])
  expect(strict.code).toBe(1)
  expect(strict.stderr).toContain('VID_VARIABLES_STRICT')
  for (const word of words) expect(strict.stderr).toContain(word)
})

test.each([
  [{ 'vid.config.mjs': "export default { target: 'moon' }" }, 'local'],
  [{ 'vid.config.mjs': "export default { preset: 'moon' }" }, 'standard'],
  [
    {
      'vid.config.mjs': "export default { plugins: [{ role: 'plugin', name: 'old', apiVersion: 99, setup() {} }] }",
    },
    '99',
  ],
  [
    {
      'vid.config.mjs':
        "export default { encoders: [{ role: 'encoder', name: 'none', apiVersion: 1, formats: [], encode() {} }] }",
    },
    'no format',
  ],
  [
    {
      'vid.config.mjs':
        "const p = { role: 'plugin', name: 'twin', apiVersion: 1, options: {}, setup() {} }\nexport default { plugins: [p, { ...p }] }",
    },
    'twin',
  ],
  [
    {
      'vid.config.mjs': "import './old.cjs'\nexport default {}",
      'old.cjs': "throw new Error('too old a library')",
    },
    'vid.config.mjs cannot be loaded: too old a library',
  ],
])('a config that cannot work is refused with what is wrong (%#)', async (files, named) => {
  const folder = await scratch()
  await writeFile(join(folder, 'index.html'), page(good))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const { code, stderr } = await vid(['render', folder, '-o', join(folder, 'never.mp4')])
  expect(code, stderr).toBe(2)
  expect(stderr).toContain(named)
})

test('a config that is no JavaScript is refused with the line', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'index.html'), page(good))
  await writeFile(join(folder, 'vid.config.mjs'), 'export default {\n  render: {,\n}')
  // What runs tests takes the line out of the stack of such an error.
  const { code, stderr } = await vidAlone(['render', folder, '-o', join(folder, 'never.mp4')])
  expect(code, stderr).toBe(2)
  expect(stderr).toContain('vid.config.mjs:2')
})

test.each([
  [['--fps', '241'], '241'],
  [['--workers', '0'], '"0"'],
  [['--workers', '9'], '"9"'],
  [['--crf', '52'], '52'],
  [['--crf', '20', '--video-bitrate', '5M'], '--video-bitrate'],
  [['--format', 'avi'], 'mp4'],
  [['--variables', '{broken'], '--variables'],
  [['--target', 'moon'], 'local'],
])('flags %j are refused', async (flags, named) => {
  const { code, stderr } = await vid(['render', here('projects/frame-number'), ...flags])
  expect(code, stderr).toBe(2)
  expect(stderr).toContain(named)
  expect(stderr).toMatch(/VID_/)
})
