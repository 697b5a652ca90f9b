// The libraries that pages load from CDNs: the files that pages ask for, and none of what their packages carry besides.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build } from 'esbuild'
import { recordBundled } from '../notices/bundled.mjs'
import { path } from '../workspaces.mjs'

const BUNDLED = path('packages/engine/assets/dist/bundled')

/** What is copied of each library, besides its licence: paths in the package. */
const COPIED = {
  '@lottiefiles/dotlottie-web': /^dist\/(?:index\.js|dotlottie-player\.wasm)$/,
  animejs: /^dist\/bundles\/.*\.js$/,
  d3: /^dist\/d3\.min\.js$/,
  'lottie-web': /^build\/player\/(?:esm\/)?\w+\.min\.js$/,
  three: /^(?:build\/.*\.js|examples\/jsm\/.*\.(?:js|wasm))$/,
}

const LICENSE = /^licen[cs]e[^/]*$/i

/** Folder of a library that is installed for `@vid/assets`. */
const installedFolder = (name) =>
  [path(`packages/engine/assets/node_modules/${name}`), path(`node_modules/${name}`)].find(existsSync)

const copyLibrary = (name, copied) => {
  const source = installedFolder(name)
  const target = join(BUNDLED, name)
  rmSync(target, { recursive: true, force: true })
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const inPackage = relative(source, file).split(sep).join('/')
    if (!entry.isFile() || !(LICENSE.test(inPackage) || copied.test(inPackage))) continue
    cpSync(file, join(target, inPackage))
  }
  const { version, license } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ name, version, license }, null, 2)}\n`)
}

/** Files of a kind that no package has: a global build of three, one module of d3. */
const MADE = {
  'three.js': { library: 'three', format: 'iife', globalName: 'THREE' },
  'd3.js': { library: 'd3', format: 'esm' },
}

const makeBundle = (file, { library, ...settings }) =>
  build({
    ...settings,
    stdin: { contents: `export * from '${library}'`, resolveDir: path('packages/engine/assets') },
    outfile: join(BUNDLED, file),
    bundle: true,
    minify: true,
    legalComments: 'eof',
    logLevel: 'warning',
    target: 'chrome120',
    metafile: true,
  })

/** What is written last of each library, relative to the repository. */
export const libraryOutputs = [...Object.keys(MADE), ...Object.keys(COPIED).map((name) => `${name}/package.json`)].map(
  (file) => `packages/engine/assets/dist/bundled/${file}`,
)

/** Writes them beside `@vid/assets`. */
export const bundleLibraries = async () => {
  for (const [name, copied] of Object.entries(COPIED)) copyLibrary(name, copied)
  const results = await Promise.all(Object.entries(MADE).map(([file, source]) => makeBundle(file, source)))
  const copied = Object.keys(COPIED).map((name) => `node_modules/${name}/package.json`)
  const bundled = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  recordBundled('packages/engine/assets', 'libraries', [...copied, ...bundled])
}
