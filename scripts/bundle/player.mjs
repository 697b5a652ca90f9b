// The element that plays compositions in any web page: modules that a browser loads as they are.
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { recordBundled } from '../notices/bundled.mjs'
import { path } from '../workspaces.mjs'
import { BROWSER_ENTRIES } from './packages.mjs'

/** Where the sources of a package begin that only the player's own code and types of other packages reach. */
const SOURCES = {
  '@vid/captions/cues': 'packages/engine/captions/src/cues.ts',
  '@vid/ffmpeg/sound-rules': 'packages/engine/ffmpeg/src/sound-rules.ts',
  // Which exports all of the other.
  '@vid/kernel': 'packages/base/protocol/src/index.ts',
  '@vid/protocol': 'packages/base/protocol/src/index.ts',
  '@vid/runtime': 'packages/engine/runtime/src/index.ts',
  '@vid/core/compile-text': 'packages/engine/core/src/compile-text.ts',
  'node:crypto': 'packages/engine/player/src/digest.ts',
  'node:path': 'packages/engine/player/src/posix-paths.ts',
}

/** Takes packages from their sources, and says of every module that loading it does nothing: what is not used is left out. */
const onlyWhatIsUsed = {
  name: 'only-what-is-used',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ path: name, pluginData, ...from }) => {
      const isOwn = from.importer.startsWith(path('packages/'))
      if (pluginData?.isResolved || !isOwn) return undefined
      if (SOURCES[name]) return { path: path(SOURCES[name]), sideEffects: false }
      if (name.startsWith('node:')) return { path: name, external: true, sideEffects: false }
      const resolved = await resolve(name, { ...from, pluginData: { isResolved: true } })
      return { ...resolved, sideEffects: false }
    })
  },
}

/** Modules that are loaded when they are needed: beside the one that asks for them. */
const LATER = ['plain-composition', 'hls-video']

/** What is written, relative to the repository. */
export const playerOutputs = [...BROWSER_ENTRIES, `packages/engine/player/dist/${LATER[0]}.js`]

/** Leaves modules where they are. */
const apart = (names) => ({
  name: 'files-of-their-own',
  setup({ onResolve }) {
    for (const name of names)
      onResolve({ filter: new RegExp(`^\\./${name}\\.ts$`) }, () => ({ path: `./${name}.js`, external: true }))
  },
})

const bundle = (name, plugins) =>
  build({
    entryPoints: [path(`packages/engine/player/src/${name}.ts`)],
    outdir: path('packages/engine/player/dist'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17.4'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      __VID_PLAYER_SCRIPT__: JSON.stringify(readFileSync(path('packages/engine/runtime/dist/player.js'), 'utf8')),
    },
    plugins,
    metafile: true,
  })

/** Writes the element, and what it loads later: each is one file, which needs no other of the kind. */
export const bundlePlayer = async () => {
  const results = await Promise.all([
    bundle('index', [apart(LATER), onlyWhatIsUsed]),
    ...LATER.map((name) => bundle(name, [onlyWhatIsUsed])),
    bundle('react', [apart(['index'])]),
  ])
  const files = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  recordBundled('packages/engine/player', 'elements', files)
}
