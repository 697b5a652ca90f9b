import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { here, scratch, vid } from '../support/vid.ts'

const page = (word: string) => `<!doctype html>
<div data-composition-id="dot" data-width="64" data-height="48" data-duration="0.2" data-fps="30">${word}</div>`

const encoder = `
import { writeFile } from 'node:fs/promises'
import { defineEncoder } from '@vid/kernel'
import { word } from './word.ts'

export const own = defineEncoder({
  name: 'own-encoder',
  formats: ['txt'],
  accepts: ['png'],
  async encode(frames, { path }) {
    let count: number = 0
    for await (const _ of frames) count += 1
    await writeFile(path, word + ' ' + count)
    return { file: path }
  },
  async join([segment], _audio, { path }) {
    await writeFile(path, await (await import('node:fs/promises')).readFile(segment!.file))
    return { path }
  },
})
`

const config = (render: string, plugins = '') => `
import { defineConfig } from '@vid/config'
import { definePlugin } from '@vid/kernel'
import { own } from './plugins/own.ts'
export default defineConfig({ encoders: [own()], plugins: [${plugins}], render: { format: 'txt', ${render} } })
`

/** A project with an encoder of its own, which writes a word of another file. */
const makeProject = async () => {
  const dir = join(await scratch(), 'dot')
  await mkdir(join(dir, 'plugins'), { recursive: true })
  await mkdir(join(dir, 'node_modules'))
  await symlink(here('../node_modules/@vid'), join(dir, 'node_modules/@vid'))
  const write = (name: string, text: string) => writeFile(join(dir, name), text)
  await write('index.html', page('one'))
  await write('plugins/own.ts', encoder)
  await write('plugins/word.ts', "export const word: string = 'first'")
  await write('vid.config.ts', config('fps: 30'))
  return { dir, write }
}

const render = async (dir: string) => {
  const output = join(dir, '..', 'dot.txt')
  const { code, stdout, stderr } = await vid(['render', dir, '-o', output, '--json'], {
    env: { VID_CACHE: 'on' },
  })
  expect(code, stderr).toBe(0)
  const line = stdout.split('\n').find((row) => row.includes('"segment-complete"')) ?? '{}'
  const { reused = null } = JSON.parse(line) as { reused?: string }
  return { text: await readFile(output, 'utf8'), reused }
}

test('an edit of what an encoder imports is rendered, whatever is in the cache', async () => {
  const { dir, write } = await makeProject()
  expect(await render(dir)).toEqual({ text: 'first 6', reused: null })
  expect(await render(dir)).toEqual({ text: 'first 6', reused: 'the same inputs' })
  await write('plugins/word.ts', "export const word: string = 'second'")
  expect(await render(dir)).toEqual({ text: 'second 6', reused: null })
  // An edit of the config is none of the encoder.
  await write('vid.config.ts', config("fps: 30, quality: 'high'"))
  expect(await render(dir)).toEqual({ text: 'second 6', reused: 'the same inputs' })
})

longTest('an edit of a tap in the config is rendered, whatever is in the cache', async () => {
  const { dir, write } = await makeProject()
  const tap = (word: string) => `definePlugin({
    name: 'own-tap',
    setup(hooks) {
      hooks.encode.tapPromise({ name: 'own-tap', stage: -1 }, async ({ segment, frames }) => {
        for await (const _ of frames);
        await (await import('node:fs/promises')).writeFile(segment.path, '${word}')
        return { file: segment.path }
      })
    },
  })()`
  await write('vid.config.ts', config('fps: 30', tap('tapped')))
  expect(await render(dir)).toEqual({ text: 'tapped', reused: null })
  expect(await render(dir)).toEqual({ text: 'tapped', reused: 'the same inputs' })
  await write('vid.config.ts', config('fps: 30', tap('tapped again')))
  expect(await render(dir)).toEqual({ text: 'tapped again', reused: null })
  await write('vid.config.ts', config('fps: 30'))
  expect(await render(dir)).toEqual({ text: 'first 6', reused: null })
})
