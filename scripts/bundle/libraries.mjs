// Libraries whose packages have no file of the kind that pages ask for: a global build of three, one module of d3.
import { build } from 'esbuild'
import { path } from '../workspaces.mjs'

const shared = { bundle: true, minify: true, legalComments: 'eof', logLevel: 'warning', target: 'chrome120' }

const library = (name) => ({ contents: `export * from '${name}'`, resolveDir: path('packages/assets') })

/** Writes them beside `@vid/assets`. */
export const bundleLibraries = async () => {
  await build({
    ...shared,
    stdin: library('three'),
    outfile: path('packages/assets/dist/bundled/three.js'),
    format: 'iife',
    globalName: 'THREE',
  })
  await build({
    ...shared,
    stdin: library('d3'),
    outfile: path('packages/assets/dist/bundled/d3.js'),
    format: 'esm',
  })
}
