// What the page of `vid render --serve` plays a video with.
import { build } from 'esbuild'
import { recordBundled } from '../notices/bundled.mjs'
import { path } from '../workspaces.mjs'

/** What is written, relative to the repository. */
export const livePageOutputs = ['packages/engine/site/dist/live/player.js']

/** Writes the script, which holds hls.js; needs the built player. */
export const bundleLivePage = async () => {
  const { metafile } = await build({
    entryPoints: [path('packages/engine/site/src/page/main.ts')],
    outfile: path(livePageOutputs[0]),
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome120', 'firefox125', 'safari17.4'],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  recordBundled('packages/engine/site', 'live', Object.keys(metafile.inputs))
}
