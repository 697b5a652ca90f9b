import { expect, test } from 'vitest'
import { mapProblems, packedProblems, publishedManifest } from './manifest.mjs'

const manifest = {
  name: '@vid/example',
  exports: {
    '.': { development: './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
  },
  bin: { example: './bin/example.js' },
  files: ['dist'],
  version: '0.3.0',
  dependencies: { '@vid/kernel': '0.3.0', typebox: '^1.0.0' },
}
const files = ['LICENSE', 'package.json', 'bin/example.js', 'dist/index.js', 'dist/index.d.ts']
const published = publishedManifest(manifest, 'packages/engine/example')

test('what is published points at no sources', () => {
  expect(published.exports).toEqual({ '.': { types: './dist/index.d.ts', default: './dist/index.js' } })
  expect(packedProblems(published, files)).toEqual([])
})

test('a published plugin uses the kernel that is installed beside it; a package brings its own', () => {
  expect(publishedManifest(manifest, 'plugins/encoder-example')).toMatchObject({
    dependencies: { typebox: '^1.0.0' },
    peerDependencies: { '@vid/kernel': '^0.3.0' },
    keywords: expect.arrayContaining(['vid', 'encoder', 'example']),
  })
  expect(published.keywords).toEqual(['vid', 'video', 'html', 'render', 'example'])
  expect(published.dependencies).toEqual(manifest.dependencies)
  expect(published.peerDependencies).toBeUndefined()
})

test('a package that carries works of others needs their notices', () => {
  expect(packedProblems(published, files, 'Third-party notices')).toEqual([
    expect.stringContaining('no THIRD_PARTY_NOTICES'),
  ])
  expect(packedProblems(published, [...files, 'THIRD_PARTY_NOTICES'], 'Third-party notices')).toEqual([])
})

test('a map that points at a file that is not packed is a problem; a library that is packed in is none', () => {
  const map = JSON.stringify({ sources: ['../src/index.ts', '../../../node_modules/tapable/lib/index.js'] })
  expect(mapProblems([['dist/index.d.ts.map', map]], ['src/index.ts'])).toEqual([])
  expect(mapProblems([['dist/index.d.ts.map', map]], [])).toEqual([
    'dist/index.d.ts.map points at src/index.ts, which is not packed',
  ])
})

test('a repository is named with the folder of the package', () => {
  expect(publishedManifest(manifest, 'packages/engine/example', 'acme/vid').repository).toEqual({
    type: 'git',
    url: 'git+https://github.com/acme/vid.git',
    directory: 'packages/engine/example',
  })
})

test.each([
  ['a missing program', published, files.filter((file) => !file.startsWith('bin/')), './bin/example.js'],
  ['missing types', published, files.filter((file) => !file.endsWith('.d.ts')), './dist/index.d.ts'],
  ['the condition of this repository', manifest, [...files, 'src/index.ts'], 'development condition'],
  ['a missing licence', published, files.slice(1), 'no licence file'],
  ['a test in the sources', published, [...files, 'src/index.test.ts'], 'src/index.test.ts is packed'],
  ['a harness', published, [...files, 'lab/soak.mjs'], 'lab/soak.mjs is packed'],
  ['a fixture', published, [...files, 'src/fixtures/page.ts'], 'src/fixtures/page.ts is packed'],
  ['a test', published, [...files, 'dist/index.test.js'], 'dist/index.test.js is packed'],
  [
    'a dependency on a folder',
    { ...published, dependencies: { '@vid/kernel': 'workspace:*' } },
    files,
    'needed as workspace:*',
  ],
])('%s is a problem', (_title, packed, packedFiles, said) => {
  expect(packedProblems(packed, packedFiles).join('\n')).toContain(said)
})
