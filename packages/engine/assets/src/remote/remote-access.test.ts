import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '../fixtures/fresh-folder.ts'
import { addressesIn } from './declared-addresses.ts'
import { createRemoteAccess } from './remote-access.ts'

const project = async (files: Readonly<Record<string, string>>) => {
  const folder = await freshFolder()
  onTestFinished(() => folder[Symbol.asyncDispose]())
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder.path, name, '..'), { recursive: true })
    await writeFile(join(folder.path, name), text)
  }
  return folder.path
}

/** Whether each address may be fetched. */
const allowed = async (access: ReturnType<typeof createRemoteAccess>, urls: readonly string[]) =>
  Promise.all(
    urls.map((url) =>
      access?.check(url).then(
        () => true,
        () => false,
      ),
    ),
  )

test.each([
  ['<img src="https://a.example/x.png?a=1&amp;b=2">', 'https://a.example/x.png?a=1&b=2'],
  ['<img src=https://a.example/x.png>', 'https://a.example/x.png'],
  ['<img src="//a.example/x.png">', 'http://a.example/x.png'],
  ['<img srcset="https://a.example/1.png 1x, https://a.example/2.png 2x">', 'https://a.example/2.png'],
  ['<a style="background:url(https://a.example/x.png)">', 'https://a.example/x.png'],
  ['fetch(`https://a.example/x.json`);', 'https://a.example/x.json'],
  ['{"logo":"https:\\/\\/a.example\\/x.png?a=1\\u0026b=2"}', 'https://a.example/x.png?a=1&b=2'],
  ['https://a.example/clip (1).png', 'https://a.example/clip'],
  ['"HTTPS://A.example:443/x.png#icon"', 'https://a.example/x.png'],
])('%s declares %s', (text, address) => {
  expect([...addressesIn(text)]).toContain(address)
})

test('with "declared", only whole addresses that stand in text files or variables may be fetched', async () => {
  const projectDir = await project({
    'index.html': '<img src="https://a.example/x.png?v=1"><script>fetch("https://a.example/log?" + secret)</script>',
    'css/style.css': '@import "https://a.example/fonts.css";',
    'data.bin': 'https://a.example/binary',
    '.env': 'https://a.example/hidden',
    'node_modules/a/index.js': '"https://a.example/package"',
  })
  const variables = { logo: 'https://b.example/logo.png' }
  const access = createRemoteAccess({ network: 'declared', projectDir, variables })
  const yes = ['https://a.example/x.png?v=1', 'https://a.example/fonts.css', 'https://b.example/logo.png']
  const no = [
    'https://a.example/x.png?v=2',
    'https://a.example/x.png',
    'https://a.example/x.png?v=1&w=secret',
    'https://a.example/log?secret',
    'http://a.example/fonts.css',
    'https://a.example/',
    'https://a.example/binary',
    'https://a.example/hidden',
    'https://a.example/package',
    'https://secret.a.example/x.png?v=1',
    'https://a.example:444/fonts.css',
  ]
  expect(await allowed(access, yes)).toEqual(yes.map(() => true))
  expect(await allowed(access, no)).toEqual(no.map(() => false))
})

test('a fetched style sheet or module declares what it names, also relatively; a picture does not', async () => {
  const projectDir = await project({ 'index.html': '' })
  const access = createRemoteAccess({ network: 'declared', projectDir, variables: {} })
  const learn = (url: string, contentType: string, text: string) =>
    access?.learn(url, { contentType, allowOrigin: null, body: Buffer.from(text) })
  learn('https://a.example/css/a.css', 'text/css', "@import 'b.css'; @font-face { src: url(../f.woff2) }")
  learn('https://a.example/m.js', 'application/javascript', 'import a from "./a.js"; import("/b.js")')
  learn('https://a.example/p.png', 'image/png', 'https://a.example/inside')
  const yes = ['css/b.css', 'f.woff2', 'a.js', 'b.js'].map((path) => `https://a.example/${path}`)
  expect(await allowed(access, yes)).toEqual(yes.map(() => true))
  expect(await allowed(access, ['https://a.example/inside', 'https://a.example/f.woff2?x'])).toEqual([false, false])
})

test('with "none" nothing may be fetched; the error names the address without its query, and the mode', async () => {
  const projectDir = await project({ 'index.html': 'https://a.example/x.png?key=secret' })
  const access = createRemoteAccess({ network: 'none', projectDir, variables: {} })
  await expect(access?.check('https://a.example/x.png?key=secret')).rejects.toMatchObject({
    code: 'VID_NETWORK_REFUSED',
    message: 'https://a.example/x.png was not fetched, since network is "none".',
  })
  expect(createRemoteAccess({ projectDir, variables: {} })).toBeUndefined()
})
