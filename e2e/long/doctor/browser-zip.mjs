import { createWriteStream, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'

/** Packs the embedded browser as Chrome for Testing packs its own; returns its version. */
export const packBrowser = async (zipFile) => {
  const { findEmbeddedBrowser } = await import(
    new URL('../../../packages/engine/browser/dist/index.js', import.meta.url).href
  )
  const { path: program, version } = await findEmbeddedBrowser()
  const folder = dirname(program)
  const zip = new yazl.ZipFile()
  const outer = 'chrome-headless-shell-linux64'
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name)
    if (statSync(file).isFile() && name !== 'manifest.json') zip.addFile(file, `${outer}/${name}`)
  }
  // Its libraries lie beside it.
  const start = '#!/bin/sh\nhere=$(dirname "$0")\nLD_LIBRARY_PATH="$here/lib" exec "$here/headless_shell" "$@"\n'
  zip.addBuffer(Buffer.from(start), `${outer}/chrome-headless-shell`, { mode: 0o100755 })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(zipFile))
  return version
}
