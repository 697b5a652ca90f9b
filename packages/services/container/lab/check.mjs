// Renders in containers of podman, breaks them, and attacks from inside: npm run lab -- container-check. It needs root, and Debian.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findFfmpeg } from '@vid/ffmpeg'
import { path } from '../../../../scripts/workspaces.mjs'
import { attacks } from './check/attacks.mjs'
import { endings } from './check/endings.mjs'
import { BASE_IMAGE, openEngine } from './check/engine.mjs'
import { facts } from './check/facts.mjs'
import { gallery } from './check/gallery.mjs'
import { renders } from './check/renders.mjs'
import { servers } from './check/servers.mjs'
import { vid } from './check/vid.mjs'

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    store: { type: 'string', default: '/var/tmp/vid-container-check' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run lab -- container-check [--only PATTERN] [--store FOLDER]

Installs podman and runc where they are missing, builds the image, and runs every check; --only those whose names fit a
pattern. The storage of podman is kept in FOLDER (${'/var/tmp/vid-container-check'}) for the next time; remove it when it is not needed.`)
  process.exit()
}

const work = mkdtempSync(join(tmpdir(), 'vid-container-work-'))
const temp = join(work, 'tmp')
mkdirSync(temp)
// Renders here are made with the ffmpeg that the image has too, whatever this machine has installed.
const { ffmpeg, ffprobe } = await findFfmpeg({ env: { HOME: process.env.HOME, PATH: '' } })
const env = { ...openEngine(flags.store), TMPDIR: temp, VID_FFMPEG_PATH: ffmpeg, VID_FFPROBE_PATH: ffprobe }
/** Builds the image where it is missing; resolves to its digest. */
const build = async () => {
  const { code, stdout, stderr } = await vid(env, work, 'container', 'build', '--base-image', BASE_IMAGE, '--json')
  if (code !== 0) throw new Error(stderr.slice(-2000))
  const { engine, image } = JSON.parse(stdout)
  console.log(`${engine.kind} ${engine.version}, ${image.reference}, ${image.id}`)
  return image.id
}
const places = {
  env,
  work,
  temp,
  plugin: path('plugins/target-docker/dist/index.js'),
  repository: path('').replace(/\/$/, ''),
}
let passed = 0
let failed = 0
try {
  const image = await build()
  for (const [name, check] of Object.entries({
    ...facts,
    ...renders,
    ...servers,
    ...endings,
    ...attacks,
    ...gallery,
  })) {
    if (!new RegExp(flags.only).test(name)) continue
    try {
      const detail = await check({ ...places, image })
      passed += 1
      console.log(`ok      ${name}${detail === undefined ? '' : `: ${detail}`}`)
    } catch (thrown) {
      failed += 1
      console.log(`FAILED  ${name}: ${thrown.message}`)
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
