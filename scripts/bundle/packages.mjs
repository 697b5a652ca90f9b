// Each package in as few files as its entries need: Node takes half a millisecond to find and link every module.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { build } from 'esbuild'
import { recordBundled } from '../notices/bundled.mjs'
import { path, workspaces } from '../workspaces.mjs'

/** Libraries that are packed in although the package depends on them: its types name theirs. */
const PACKED_WITH_TYPES = {
  '@vid/command': ['clipanion'],
  '@vid/core': ['acorn', 'parse5', 'postcss'],
  '@vid/kernel': ['tapable'],
  '@vid/protocol': ['typebox'],
}

/** Files that browsers load. */
export const BROWSER_ENTRIES = ['index', 'react', 'hls-video'].map((name) => `packages/engine/player/dist/${name}.js`)

/** CommonJS libraries ask for Node's own modules with `require`. */
const BANNER = [
  "import { createRequire as requireFrom } from 'node:module'",
  'const require = requireFrom(import.meta.url)',
].join('\n')

/** What stays outside: everything a package depends on. Its development dependencies are packed in. */
const externalOf = ({ name, dependencies, peerDependencies, optionalDependencies }) => {
  const packed = PACKED_WITH_TYPES[name] ?? []
  return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
    .filter((library) => !packed.includes(library))
    .flatMap((library) => [library, `${library}/*`])
}

/** The sources of what a package exports and of what its program loads; what is for browsers is a part of its own. */
const entriesOf = ({ folder, manifest }) => {
  const built = Object.values(manifest.exports)
    .map((entry) => entry.default)
    .filter((file) => !BROWSER_ENTRIES.includes(`${folder}/${file.replace('./', '')}`))
  if (manifest.bin) built.push('./dist/main.js')
  return built.map((file) => path(`${folder}/${file.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}`))
}

/** Whether a script or a type was left by an earlier build: scripts are written again, types are those of a source. */
const isOutdated = (folder, file) => {
  if (/\.js(?:\.map)?$/.test(file)) return true
  const types = /^(.*)\.d\.ts(?:\.map)?$/.exec(file)
  return types !== null && !existsSync(path(`${folder}/src/${types[1]}.ts`))
}

/** Removes what an earlier build left: the names of shared parts change with what is in them. */
const clear = (folder) => {
  for (const file of readdirSync(path(`${folder}/dist`), { recursive: true }))
    if (isOutdated(folder, file)) rmSync(path(`${folder}/dist/${file}`), { force: true })
}

const bundlePackage = async ({ folder, manifest }) => {
  const dist = path(`${folder}/dist`)
  clear(folder)
  const { metafile } = await build({
    entryPoints: entriesOf({ folder, manifest }),
    outdir: dist,
    outbase: path(`${folder}/src`),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Some libraries have a main file whose parts only Node can find.
    mainFields: ['module', 'main'],
    target: 'node20',
    external: externalOf(manifest),
    banner: { js: BANNER },
    // Places in the sources, for stacks under --enable-source-maps; with the texts it would be three times the size.
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    metafile: true,
  })
  recordBundled(folder, 'entries', Object.keys(metafile.inputs))
}

/** Writes the JavaScript of every package; their types are the compiler's. */
export const bundlePackages = () => Promise.all(workspaces().map(bundlePackage))
