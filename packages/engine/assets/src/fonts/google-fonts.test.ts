import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '../fixtures/fresh-folder.ts'
import { fontHint } from './font-hint.ts'
import { parseFontAddress } from './google-address.ts'
import { answerFontAddress } from './google-fonts.ts'

const GOOGLE = 'https://fonts.googleapis.com'

const newFolder = async () => {
  const folder = await freshFolder()
  onTestFinished(() => folder[Symbol.asyncDispose]())
  return folder.path
}

/** A project with font packages that have the given files besides their manifests. */
const projectWith = async (packages: Readonly<Record<string, Readonly<Record<string, string>>>>) => {
  const folder = await newFolder()
  for (const [name, files] of Object.entries(packages))
    for (const [file, text] of Object.entries({ 'package.json': '{"version":"5.1.0"}', ...files })) {
      const path = join(folder, 'node_modules', name, file)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    }
  return folder
}

const face = (family: string, weight: string, file: string) =>
  `@font-face {\n  font-family: '${family}';\n  font-display: swap;\n  font-weight: ${weight};\n  src: url(./files/${file}) format('woff2');\n}`

const quirk = {
  '@fontsource/quirk-one': {
    '400.css': face('Quirk One', '400', 'q-400.woff2'),
    '700.css': face('Quirk One', '700', 'q-700.woff2'),
    '400-italic.css': face('Quirk One', '400', 'q-400-italic.woff2'),
    'files/q-400.woff2': 'regular',
    'index.css': face('Quirk One', '400', 'q-400.woff2'),
  },
}

const sheet = async (project: string, query: string) =>
  (await answerFontAddress(project, `${GOOGLE}/${query}`))?.body.toString()

test.each([
  ['css2?family=Quirk+One', ['q-400.woff2']],
  ['css2?family=Quirk+One:wght@700', ['q-700.woff2']],
  ['css2?family=Quirk+One:ital,wght@0,400;0,700;1,400', ['q-400.woff2', 'q-700.woff2', 'q-400-italic.woff2']],
  ['css2?family=Quirk+One:wght@100..900', ['q-400.woff2', 'q-700.woff2']],
  ['css?family=Quirk+One:400,700', ['q-400.woff2', 'q-700.woff2']],
  ['css?family=Quirk+One:400i,bold', ['q-400-italic.woff2', 'q-700.woff2']],
  ['css2?family=Quirk+One:wght@950', ['q-400.woff2']],
])('%s has the asked styles of the installed package', async (query, files) => {
  const css = await sheet(await projectWith(quirk), query)
  const addresses = files.map((file) => `https://cdn.jsdelivr.net/npm/@fontsource/quirk-one@5.1.0/files/${file}`)
  expect([...(css ?? '').matchAll(/url\(([^)]+)\)/g)].map(([, url]) => url)).toEqual(addresses)
})

test('a package above the composition is found, and its files are served to any origin', async () => {
  const project = join(await projectWith(quirk), 'videos/intro')
  await mkdir(project, { recursive: true })
  const url = 'https://cdn.jsdelivr.net/npm/@fontsource/quirk-one@5.1.0/files/q-400.woff2'
  expect(await answerFontAddress(project, url)).toEqual({
    contentType: 'font/woff2',
    allowOrigin: '*',
    body: Buffer.from('regular'),
  })
  expect(await answerFontAddress(project, url.replace('5.1.0', '4.0.0'))).toBeUndefined()
})

test('a variable package has one face for each asked weight, under the name of the family', async () => {
  const project = await projectWith({
    '@fontsource-variable/quirk-one': { 'wght.css': face('Quirk One Variable', '100 900', 'q.woff2') },
  })
  const css = await sheet(project, 'css2?family=Quirk+One:wght@400;700&display=block')
  expect([...(css ?? '').matchAll(/font-weight: ([^;]+)/g)].map(([, weight]) => weight)).toEqual(['400', '700'])
  expect(css).toContain("font-family: 'Quirk One';")
  expect(css).toContain('font-display: block;')
  expect(await sheet(project, 'css2?family=Quirk+One:wght@200..500')).toContain('font-weight: 200 500;')
})

test('what is not installed is left to the network: alone as it is, beside others as an import', async () => {
  const project = await projectWith(quirk)
  expect(await sheet(project, 'css2?family=Nowhere')).toBeUndefined()
  const css = await sheet(project, 'css2?family=Nowhere:wght@500&family=Quirk+One')
  expect(css).toMatch(
    /^@import url\("https:\/\/fonts\.googleapis\.com\/css2\?family=Nowhere%3Awght%40500&display=auto"\);/,
  )
  expect(css).toContain('q-400.woff2')
})

test('a bundled family needs neither a package nor the network', async () => {
  expect(await sheet(await newFolder(), 'css2?family=Inter:wght@400;700')).not.toMatch(/import|url/)
})

test.each([
  `${GOOGLE.replace('https', 'ftp')}/css2?family=Inter`,
  `${GOOGLE}:8443/css2?family=Inter`,
  `${GOOGLE}.evil.example/css2?family=Inter`,
  `${GOOGLE}/css3?family=Inter`,
  'https://cdn.jsdelivr.net/npm/@fontsource/quirk-one@5.1.0/../../../secret',
  'https://cdn.jsdelivr.net/npm/@fontsource/quirk-one@5.1.0/files/%2e%2e/%2e%2e/secret',
  'https://cdn.jsdelivr.net/npm/@fontsource/quirk-one@5.1.0/files/link.woff2',
])('%s is not answered', async (url) => {
  const project = await projectWith(quirk)
  await writeFile(join(project, 'secret'), 'secret')
  await symlink(join(project, 'secret'), join(project, 'node_modules/@fontsource/quirk-one/files/link.woff2'))
  expect(await answerFontAddress(project, url)).toBeUndefined()
})

test('a family cannot leave the folder of font packages, nor end the sheet that names it', async () => {
  const project = await projectWith(quirk)
  for (const family of ['../quirk-one', "Quirk One'; } body { color: red", 'Quirk One/../../x', ''])
    expect(await sheet(project, `css2?family=${encodeURIComponent(family)}`)).toBeUndefined()
})

test('the hint for an address names the packages of its families', () => {
  expect(fontHint(`${GOOGLE}/css2?family=Quirk+One:wght@400&family=Playfair+Display`)).toContain(
    '"npm install @fontsource/quirk-one @fontsource/playfair-display"',
  )
  expect(fontHint('https://example.com/css2?family=Quirk+One')).toBeUndefined()
  expect(parseFontAddress(`${GOOGLE}/css2?family=A:opsz,wght@14..32,100..900`)?.requests[0]).toMatchObject({
    axes: ['opsz'],
    faces: [{ italic: false, weights: [100, 900] }],
  })
})
