// Runs "vid doctor" on machines that are broken in one way each, and looks whether it names what is broken, what to do,
// and nothing else; with "--fix" where it can be mended. Needs Linux with unshare, and gets a Node that is too old from npm.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { path } from '../../scripts/workspaces.mjs'
import { runDoctor } from './doctor/broken-machine.mjs'
import { packBrowser } from './doctor/browser-zip.mjs'
import { serveMirror } from './doctor/mirror.mjs'
import { nodeFromNpm } from './doctor/node-from-npm.mjs'

const folder = mkdtempSync(join(tmpdir(), 'vid-doctor-check-'))
const project = join(folder, 'project')
const emptyConfig = join(folder, 'broken-config')
for (const folder of [project, emptyConfig]) mkdirSync(folder)
writeFileSync(join(project, 'index.html'), '<!doctype html>')
writeFileSync(join(emptyConfig, 'vid.config.mjs'), 'export default {\n')
const s3Config = join(folder, 's3-config')
mkdirSync(s3Config)
writeFileSync(
  join(s3Config, 'vid.config.mjs'),
  `import s3 from ${JSON.stringify(path('plugins/store-s3/dist/index.js'))}
export default { store: s3({ bucket: 'b', endpoint: 'http://127.0.0.1:9', accessKeyId: 'a', secretAccessKey: 'very-secret-key' }) }
`,
)

const CHROMIUM = path('packages/engine/chromium-linux-x64')

/** The ways in which a machine is broken, with the checks that must fail, and what must be said. */
const cases = [
  { name: 'a machine that works', fails: [] },
  {
    name: 'no browser',
    hide: [CHROMIUM],
    fails: ['browser'],
    says: /VID_BROWSER_NOT_FOUND.*vid browser install/,
  },
  {
    name: 'a browser that is none',
    env: { VID_BROWSER_PATH: '/bin/true' },
    fails: ['browser'],
    says: /VID_BROWSER_PATH_NOT_A_BROWSER/,
  },
  {
    name: 'a broken ffmpeg',
    env: { VID_FFMPEG_PATH: '/bin/false' },
    fails: ['ffmpeg'],
    says: /VID_FFMPEG_PATH/,
  },
  {
    name: 'no ffmpeg',
    hide: [path('node_modules/@ffmpeg-installer')],
    fails: ['ffmpeg'],
    says: /npm install/,
  },
  { name: 'a full scratch folder', full: ['TMPDIR'], fails: ['scratch folder'], says: /ENOSPC|no space/i },
  { name: 'a full cache folder', full: ['VID_CACHE_DIR'], fails: ['cache folder'], says: /VID_CACHE_DIR/ },
  { name: 'a full output folder', full: ['OUTPUT'], fails: ['output folder'], says: /--output/ },
  {
    name: 'a tiny /dev/shm',
    sizes: { '/dev/shm': '1m' },
    fails: [],
    warns: ['shared memory'],
    says: /--shm-size/,
  },
  {
    name: 'no fonts',
    hide: [path('node_modules/@expo-google-fonts')],
    fails: ['fonts'],
    says: /npm install/,
  },
  { name: 'few open files', limit: 200, fails: ['open files'], says: /ulimit -n/ },
  { name: 'a config with a mistake', project: emptyConfig, fails: ['config'], says: /vid\.config\.mjs/ },
  { name: 'a store out of reach', project: s3Config, fails: [], warns: ['store'], says: /ECONNREFUSED/ },
]

let problems = 0
const report = (name, messages) => {
  problems += messages.length
  console.log(
    `${messages.length === 0 ? 'ok  ' : 'FAIL'} ${name}${messages.map((message) => `\n     ${message}`).join('')}`,
  )
}

/** A machine without a browser gets one, and uses it from then on. */
const tryDownload = async () => {
  const zip = join(folder, 'browser.zip')
  const version = await packBrowser(zip)
  const mirror = await serveMirror(zip, version)
  const cache = join(folder, 'cache')
  const absent = { project, hide: [CHROMIUM], cache, env: { VID_BROWSER_MIRROR: mirror.url } }
  const says = /downloaded the headless shell/
  report('a browser that is downloaded', await runDoctor({ ...absent, words: ['--fix'], fails: [], says }))
  report('the same, used again', await runDoctor({ ...absent, fails: [] }))
  mirror.close()
}

// Words of the command line choose cases by parts of their names.
const chosen = process.argv.slice(2)
const isChosen = (name) => chosen.length === 0 || chosen.some((word) => name.includes(word))

try {
  for (const case_ of cases.filter(({ name }) => isChosen(name)))
    report(case_.name, await runDoctor({ project, ...case_ }))
  if (isChosen('a Node that is too old'))
    report(
      'a Node that is too old',
      await runDoctor({
        project,
        node: nodeFromNpm(18, join(folder, 'node')),
        fails: ['node'],
        says: /nodejs\.org/,
      }),
    )
  if (isChosen('a browser that is downloaded')) await tryDownload()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (problems > 0) process.exitCode = 1
