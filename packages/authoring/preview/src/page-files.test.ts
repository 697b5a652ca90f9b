import { expect, test } from 'vitest'
import { readPageFile } from './page-files.ts'

test('the page loads no code that compiles compositions: the preview prepares all of them', async () => {
  const html = String((await readPageFile('index.html'))?.body)
  const [, script = ''] = /src="\/?(assets\/[^"]+\.js)"/.exec(html) ?? []
  const text = String((await readPageFile(script))?.body)
  expect(text.length).toBeLessThan(250_000)
  const [later] = /assets\/[\w-]*plain-composition[\w-]*\.js|[\w-]*plain-composition[\w-]*\.js/.exec(text) ?? []
  const file = later?.replace(/^(?:assets\/)?/, 'assets/') ?? ''
  expect((await readPageFile(file))?.body.length).toBeLessThan(1000)
})

test.each(['../package.json', 'assets/../index.html', '.hidden', 'gone.js'])(
  '%s is no file of the page',
  async (path) => {
    expect(await readPageFile(path)).toBeUndefined()
  },
)
