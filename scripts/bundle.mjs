import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import wabt from 'wabt'

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const shared = { bundle: true, minify: true, legalComments: 'none', logLevel: 'warning' }

const { parseWat } = await wabt()
const assemble = (name) => {
  const file = path(`packages/runtime/src/${name}.wat`)
  return Buffer.from(parseWat(file, readFileSync(file, 'utf8'), { simd: true }).toBinary({}).buffer)
}

/** A script of the page's workers, as text that the page holds. */
const workerText = async (name, define = {}) => {
  const entryPoints = [path(`packages/runtime/src/page/${name}.ts`)]
  const { outputFiles } = await build({
    ...shared,
    ...{ entryPoints, define, format: 'iife', target: 'chrome120', write: false },
  })
  return outputFiles[0].text.trim()
}

// What runs first in every worker of a page.
const clock = await workerText('worker-clock')
writeFileSync(path('packages/runtime/dist/worker.js'), clock)

// What decodes videos, with what makes pixels of their pictures.
const pixels = JSON.stringify(assemble('pixels').toString('base64'))
const packets = await workerText('packet-worker', { __VID_PIXELS__: pixels })

// The script that runs inside the page.
await build({
  ...shared,
  entryPoints: [path('packages/runtime/src/page/main.ts')],
  outfile: path('packages/runtime/dist/page.js'),
  format: 'iife',
  target: 'chrome120',
  define: { __VID_PACKETS__: JSON.stringify(packets), __VID_WORKER__: JSON.stringify(clock) },
})

// What makes planar pictures, in the page's worker and here.
writeFileSync(path('packages/runtime/dist/planar.wasm'), assemble('planar'))

// typebox in one file: its 700 modules take 0.6 s to load one by one, at every start of the command.
await build({
  ...shared,
  entryPoints: [path('packages/protocol/src/schema.ts')],
  outfile: path('packages/protocol/dist/schema.js'),
  format: 'esm',
  platform: 'node',
  target: 'node20',
})

// Libraries whose packages have no file of the kind that pages ask for: a global build of three, one module of d3.
await build({
  ...shared,
  stdin: { contents: "export * from 'three'", resolveDir: path('packages/browser') },
  outfile: path('packages/browser/dist/shelf/three.js'),
  format: 'iife',
  globalName: 'THREE',
  target: 'chrome120',
})
await build({
  ...shared,
  stdin: { contents: "export * from 'd3'", resolveDir: path('packages/browser') },
  outfile: path('packages/browser/dist/shelf/d3.js'),
  format: 'esm',
  target: 'chrome120',
})

// What `vid plugin create` copies: the templates that are tested in their place here.
rmSync(path('packages/cli/dist/templates'), { recursive: true, force: true })
cpSync(path('scripts/templates'), path('packages/cli/dist/templates'), { recursive: true })
