// What `vid check` examines a page with, in the page.
import { build } from 'esbuild'
import { recordBundled } from '../notices/bundled.mjs'
import { path } from '../workspaces.mjs'

/** What is written, relative to the repository. */
export const checkPageOutputs = ['packages/authoring/check/dist/page.js']

/** Writes the script, an expression that a driver evaluates. */
export const bundleCheckPage = async () => {
  const { metafile } = await build({
    entryPoints: [path('packages/authoring/check/src/page/main.ts')],
    outfile: path('packages/authoring/check/dist/page.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'chrome120',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  recordBundled('packages/authoring/check', 'page', Object.keys(metafile.inputs))
}
