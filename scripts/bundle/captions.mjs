// The element that draws captions: a script that pages load from a CDN, which vid answers itself.
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { recordBundled } from '../notices/bundled.mjs'
import { path } from '../workspaces.mjs'

const ELEMENT = 'packages/engine/captions/dist/element.js'
const SERVED = 'packages/engine/assets/dist/bundled/@vid/captions'

/** What is written, relative to the repository. */
export const captionsOutputs = [ELEMENT, `${SERVED}/dist/element.js`, `${SERVED}/package.json`]

/** Writes the script into its package, and beside `@vid/assets`, which answers the address of a CDN with it. */
export const bundleCaptions = async () => {
  const { metafile } = await build({
    entryPoints: [path('packages/engine/captions/src/page/main.ts')],
    outfile: path(ELEMENT),
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome120', 'firefox125', 'safari17.4'],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  cpSync(path(ELEMENT), path(`${SERVED}/dist/element.js`))
  const { name, version, license } = JSON.parse(readFileSync(path('packages/engine/captions/package.json'), 'utf8'))
  // The version of a library is a part of every plan: with the digest, another script is another version.
  const digest = createHash('sha256')
    .update(readFileSync(path(ELEMENT)))
    .digest('hex')
    .slice(0, 12)
  const served = { name, version: `${version}+${digest}`, license }
  writeFileSync(path(`${SERVED}/package.json`), `${JSON.stringify(served, null, 2)}\n`)
  recordBundled('packages/engine/captions', 'element', Object.keys(metafile.inputs))
}
