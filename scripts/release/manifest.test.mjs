import { expect, test } from 'vitest'
import { packedProblems, publishedManifest } from './manifest.mjs'

const manifest = {
  name: '@vid/example',
  exports: {
    '.': { development: './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
  },
  bin: { example: './bin/example.js' },
  dependencies: { typebox: '^1.0.0' },
}
const files = ['LICENSE', 'package.json', 'bin/example.js', 'dist/index.js', 'dist/index.d.ts']
const published = publishedManifest(manifest, 'packages/example')

test('what is published points at no sources', () => {
  expect(published.exports).toEqual({ '.': { types: './dist/index.d.ts', default: './dist/index.js' } })
  expect(packedProblems(published, files)).toEqual([])
})

test('a repository is named with the folder of the package', () => {
  expect(publishedManifest(manifest, 'packages/example', 'acme/vid').repository).toEqual({
    type: 'git',
    url: 'git+https://github.com/acme/vid.git',
    directory: 'packages/example',
  })
})

test.each([
  ['a missing program', published, files.filter((file) => !file.startsWith('bin/')), './bin/example.js'],
  ['missing types', published, files.filter((file) => !file.endsWith('.d.ts')), './dist/index.d.ts'],
  ['the condition of this repository', manifest, [...files, 'src/index.ts'], 'development condition'],
  ['a missing licence', published, files.slice(1), 'no licence file'],
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
