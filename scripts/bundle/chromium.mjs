// The archives of the embedded browser, from the package that publishes them.
import { cpSync, existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../workspaces.mjs'

const PACKAGE = 'packages/engine/chromium-linux-x64'
const FILES = {
  LICENSE: 'LICENSE',
  'chromium.br': 'bin',
  'al2023.tar.br': 'bin',
  'swiftshader.tar.br': 'bin',
}

const source = () =>
  [path(`${PACKAGE}/node_modules/@sparticuz/chromium`), path('node_modules/@sparticuz/chromium')].find(existsSync)

/** What is written, relative to the repository. */
export const chromiumOutputs = Object.keys(FILES).map((file) => `${PACKAGE}/dist/archives/${file}`)

/** Copies the archives beside `@vid/chromium-linux-x64`; npm does not install them where they cannot run. */
export const copyChromium = () => {
  const folder = source()
  if (folder === undefined) return
  const now = new Date()
  for (const [file, where] of Object.entries(FILES)) {
    const from = readdirSync(folder).includes(file) ? join(folder, file) : join(folder, where, file)
    const to = path(`${PACKAGE}/dist/archives/${file}`)
    cpSync(from, to)
    // npm gives every file the same old date, by which it would always be taken for outdated.
    utimesSync(to, now, now)
  }
}
