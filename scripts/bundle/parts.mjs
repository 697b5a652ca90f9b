// What sources cannot run without: files that only a build can make. Each is made again when it is older than its sources.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { path } from '../workspaces.mjs'
import { bundleCaptions, captionsOutputs } from './captions.mjs'
import { bundleCheckPage, checkPageOutputs } from './check-page.mjs'
import { chromiumOutputs, copyChromium } from './chromium.mjs'
import { emptyDatabaseOutputs, packEmptyDatabase } from './empty-database.mjs'
import { bundleLibraries, libraryOutputs } from './libraries.mjs'
import { bundleLivePage, livePageOutputs } from './live-page.mjs'
import { bundlePage } from './page.mjs'
import { bundlePlayer, playerOutputs } from './player.mjs'
import { bundlePreviewPage, previewPageOutputs } from './preview-page.mjs'

/** What `vid init` copies: the compositions that are shown and tested in their place here. */
const copyExamples = async () => {
  rmSync(path('packages/engine/cli/dist/examples'), { recursive: true, force: true })
  const isShipped = (source) => !/[/\\](?:README\.md|pictures|renders|snapshots|\.vid)$/.test(source)
  cpSync(path('examples'), path('packages/engine/cli/dist/examples'), { recursive: true, filter: isShipped })
}

/** What `vid plugin create` and `vid init` copy besides: the templates that are tested in their place here. */
const copyTemplates = async () => {
  rmSync(path('packages/engine/cli/dist/templates'), { recursive: true, force: true })
  cpSync(path('packages/engine/cli/templates'), path('packages/engine/cli/dist/templates'), { recursive: true })
}

/** Every built part: the files that it consists of, what they are made from, and how. */
const PARTS = [
  {
    outputs: [
      ...['page.js', 'player.js', 'worker.js', 'planar.wasm'].map((name) => `packages/engine/runtime/dist/${name}`),
      ...playerOutputs,
    ],
    sources: [
      'packages/base/protocol/src',
      ...['core', 'ffmpeg', 'player', 'runtime'].map((name) => `packages/engine/${name}/src`),
      'packages/engine/player/package.json',
      ...['page.mjs', 'player.mjs'].map((name) => `scripts/bundle/${name}`),
    ],
    async make() {
      await bundlePage()
      // It carries the script of the page.
      await bundlePlayer()
    },
  },
  {
    outputs: captionsOutputs,
    sources: ['packages/engine/captions/src', 'packages/engine/captions/package.json', 'scripts/bundle/captions.mjs'],
    make: bundleCaptions,
  },
  {
    outputs: checkPageOutputs,
    sources: ['packages/authoring/check/src/page', 'scripts/bundle/check-page.mjs'],
    make: bundleCheckPage,
  },
  {
    outputs: libraryOutputs,
    sources: ['packages/engine/assets/package.json', 'package-lock.json', 'scripts/bundle/libraries.mjs'],
    make: bundleLibraries,
  },
  {
    outputs: chromiumOutputs,
    sources: ['packages/engine/chromium-linux-x64/package.json', 'scripts/bundle/chromium.mjs'],
    make: copyChromium,
  },
  {
    outputs: emptyDatabaseOutputs,
    sources: ['packages/services/cloud/package.json', 'package-lock.json', 'scripts/bundle/empty-database.mjs'],
    make: packEmptyDatabase,
  },
  {
    outputs: ['packages/engine/cli/dist/templates/example.html'],
    sources: ['packages/engine/cli/templates'],
    make: copyTemplates,
  },
  {
    outputs: ['packages/engine/cli/dist/examples/blank/index.html'],
    sources: ['examples'],
    make: copyExamples,
  },
]

/** Parts that are made of other parts. */
const PARTS_OF_PARTS = [
  {
    outputs: livePageOutputs,
    sources: [
      'packages/engine/site/src/page',
      'packages/engine/player/dist/hls-video.js',
      'scripts/bundle/live-page.mjs',
    ],
    make: bundleLivePage,
  },
  {
    outputs: previewPageOutputs,
    sources: [
      ...['page', 'api-paths.ts', 'page-errors.ts'].map((name) => `packages/authoring/preview/src/${name}`),
      'packages/base/protocol/src',
      ...playerOutputs,
      'scripts/bundle/preview-page.mjs',
    ],
    make: bundlePreviewPage,
  },
]

/** When something below `file` was last written; tests are no part of a build. */
const newest = (file) => {
  const facts = statSync(file)
  if (!facts.isDirectory()) return facts.mtimeMs
  return readdirSync(file, { withFileTypes: true })
    .filter(({ name }) => !name.endsWith('.test.ts'))
    .map(({ name }) => newest(join(file, name)))
    .reduce((latest, time) => Math.max(latest, time), 0)
}

const isStale = ({ outputs, sources }) => {
  const files = outputs.map(path)
  if (!files.every(existsSync)) return true
  const builtMs = Math.min(...files.map((file) => statSync(file).mtimeMs))
  return sources.some((source) => newest(path(source)) > builtMs)
}

const makePart = async ({ outputs, make }) => {
  for (const output of outputs) mkdirSync(dirname(path(output)), { recursive: true })
  await make()
}

/** Makes every part, whatever its age. */
export const buildParts = async () => {
  for (const parts of [PARTS, PARTS_OF_PARTS]) await Promise.all(parts.map(makePart))
}

/** Makes the parts that are missing or older than their sources; resolves to the files that were made. */
export const buildStaleParts = async () => {
  const built = []
  for (const parts of [PARTS, PARTS_OF_PARTS]) {
    const stale = parts.filter(isStale)
    await Promise.all(stale.map(makePart))
    built.push(...stale.flatMap(({ outputs }) => outputs))
  }
  return built
}
