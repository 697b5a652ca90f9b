// Libraries whose packages have no file of the kind that pages ask for: a global build of three, one module of d3.
import { build } from 'esbuild'
import { path } from '../workspaces.mjs'

const shared = { bundle: true, minify: true, legalComments: 'eof', logLevel: 'warning', target: 'chrome120' }

const library = (name) => ({ contents: `export * from '${name}'`, resolveDir: path('packages/browser') })

/** Writes them beside `@vid/browser`. */
export const bundleShelf = async () => {
  await build({
    ...shared,
    stdin: library('three'),
    outfile: path('packages/browser/dist/shelf/three.js'),
    format: 'iife',
    globalName: 'THREE',
  })
  await build({
    ...shared,
    stdin: library('d3'),
    outfile: path('packages/browser/dist/shelf/d3.js'),
    format: 'esm',
  })
}
