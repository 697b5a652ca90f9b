// The scripts that run inside the page, and the WebAssembly that makes its pixels.
import { readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import wabt from 'wabt'
import { recordBundled } from '../notices/bundled.mjs'
import { path } from '../workspaces.mjs'

const shared = {
  bundle: true,
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  target: 'chrome120',
  metafile: true,
}

/** A script of the page's workers, as text that the page holds, and the files that it was made from. */
const bundleWorker = async (name, define = {}) => {
  const entryPoints = [path(`packages/engine/runtime/src/page/${name}.ts`)]
  const { outputFiles, metafile } = await build({ ...shared, entryPoints, define, format: 'iife', write: false })
  return { text: outputFiles[0].text.trim(), files: Object.keys(metafile.inputs) }
}

/** Writes what `@vid/runtime` reads beside itself. */
export const bundlePage = async () => {
  const { parseWat } = await wabt()
  const assemble = (name) => {
    const file = path(`packages/engine/runtime/src/${name}.wat`)
    return Buffer.from(parseWat(file, readFileSync(file, 'utf8'), { simd: true }).toBinary({}).buffer)
  }
  // What runs first in every worker of a page.
  const clock = await bundleWorker('workers/worker-clock')
  writeFileSync(path('packages/engine/runtime/dist/worker.js'), clock.text)

  // What decodes videos, with what makes pixels of their pictures.
  const pixels = JSON.stringify(assemble('pixels').toString('base64'))
  const packets = await bundleWorker('packets/packet-worker', { __VID_PIXELS__: pixels })

  // What draws captured elements and writes their pixels.
  const raster = await bundleWorker('raster/raster-worker')

  const inPage = {
    ...shared,
    format: 'iife',
    define: {
      __VID_PACKETS__: JSON.stringify(packets.text),
      __VID_RASTER__: JSON.stringify(raster.text),
      __VID_WORKER__: JSON.stringify(clock.text),
    },
  }
  const page = await build({
    ...inPage,
    entryPoints: [path('packages/engine/runtime/src/page/main.ts')],
    outfile: path('packages/engine/runtime/dist/page.js'),
    // Beside it, and not named in it: the page could not fetch it, and its address would be part of what is drawn with.
    sourcemap: 'external',
    sourcesContent: false,
  })

  // The same with what lets a player drive it, in a document that it stands in: in one line, so that no other line moves.
  const inPlayer = await build({
    ...inPage,
    entryPoints: [path('packages/engine/runtime/src/page/player/main.ts')],
    write: false,
    supported: { 'template-literal': false, 'inline-script': false },
  })
  const player = inPlayer.outputFiles[0].text.trim()
  if (/\n|<!--/.test(player)) throw new Error('the player script cannot stand in one line of a document')
  writeFileSync(path('packages/engine/runtime/dist/player.js'), player)

  // What makes planar pictures, in the page's worker and in the command.
  writeFileSync(path('packages/engine/runtime/dist/planar.wasm'), assemble('planar'))

  const scripts = [page, inPlayer].flatMap(({ metafile }) => Object.keys(metafile.inputs))
  recordBundled('packages/engine/runtime', 'page', [...clock.files, ...packets.files, ...raster.files, ...scripts])
}
