// Renders through the hosted API while an older build of it is replaced by this one, on one Postgres: npm run lab -- cloud-upgrade.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifest, writeProjectZip } from '@vid/project'
import { connectCloud, sha256 } from './client.mjs'
import { startPostgres } from './postgres.mjs'
import { killAll, makeAccount, page, startCloud, startIn, vidJson } from './server.mjs'

const { values: flags } = parseArgs({
  options: {
    from: { type: 'string', default: '' },
    renders: { type: 'string', default: '50' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help || flags.from === '') {
  console.log(`npm run lab -- cloud-upgrade --from ../vid-before [--renders 50]

--from is a checkout of an older version, which npm ci has built. Its server and worker take the first renders. Then this
version migrates the tables and starts a server and a worker beside them, both versions work through more renders, and the
older ones are stopped while jobs wait. Every render must complete once, with the bytes of a local render by one of the builds.`)
  process.exit(flags.help ? 0 : 2)
}
/** At most as many as one list of the server has. */
const renders = Math.min(100, Number(flags.renders))
/** The long one has segments that become jobs of their own. */
const compositions = [
  { colour: 'teal', seconds: 0.2 },
  { colour: 'navy', seconds: 0.4 },
  { colour: 'maroon', seconds: 8 },
]
const OLD_PROGRAM = resolve(flags.from, 'packages/engine/cli/bin/vid.js')

const work = mkdtempSync(join(tmpdir(), 'vid-cloud-upgrade-'))
const places = { cwd: join(work, 'cwd'), temp: join(work, 'temp') }
for (const folder of Object.values(places)) mkdirSync(folder)
const oldPlaces = { ...places, program: OLD_PROGRAM }
const wrong = []
const running = new Set()
let postgres

/** The digests that local renders of a folder have, by both builds. */
const localDigests = async (folder, index) => {
  const digests = new Set()
  for (const [name, by] of Object.entries({ old: oldPlaces, now: places })) {
    const output = join(work, `${index}-${name}.mp4`)
    const words = ['render', folder, '-o', output, '--quality', 'draft', '--resolution', '1080x1080']
    const { code, stderr } = await startIn(by, [...words, '--raster', 'portable', '--network', 'declared']).done
    if (code !== 0) throw new Error(stderr)
    digests.add(sha256(readFileSync(output)))
  }
  return digests
}

try {
  const projects = []
  for (const [index, { colour, seconds }] of compositions.entries()) {
    const folder = join(work, `c${index}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'index.html'), page(colour, seconds))
    const zip = join(work, `c${index}.zip`)
    await writeProjectZip(folder, await readManifest(folder), zip)
    projects.push({ zip: readFileSync(zip), digests: await localDigests(folder, index) })
  }
  postgres = await startPostgres()
  const env = { VID_SANDBOX: 'auto', DATABASE_URL: postgres.url }
  const state = join(work, 'state')
  const shared = ['--port', '0', '--state', state, '--spread-segments', '1', '--log-level', 'info']
  const start = async (by, role) => {
    const words = ['--role', role, ...(role === 'api' ? [] : ['--max-concurrent-renders', '1']), ...shared]
    const server = await startCloud(by, words, env)
    running.add(server)
    return server
  }
  const old = [await start(oldPlaces, 'api'), await start(oldPlaces, 'worker')]
  const key = await makeAccount(oldPlaces, state, env)
  const apis = [connectCloud(old[0].url, key)]
  const assets = []
  for (const { zip } of projects) assets.push((await apis[0].upload(zip)).body.data.asset_id)
  const accepted = []
  /** Submits renders, to all servers in turn. */
  const submit = async (count) => {
    for (let left = count; left > 0; left -= 1) {
      const index = accepted.length % projects.length
      const api = apis[accepted.length % apis.length]
      const body = { project: { type: 'asset_id', asset_id: assets[index] }, quality: 'draft' }
      const reply = await api.submit(body, { 'idempotency-key': `render-${accepted.length}` })
      if (reply.status !== 202) wrong.push(`submit ${accepted.length}: ${reply.status} ${JSON.stringify(reply.body)}`)
      else accepted.push({ id: reply.body.data.render_id, index })
    }
  }
  /** Waits until a number of the accepted renders has ended. */
  const ended = async (count) => {
    for (const { id } of accepted.slice(0, count)) await apis.at(-1).ended(id)
  }

  const [first, second] = [Math.floor(renders / 4), Math.floor(renders / 2)]
  await submit(first)
  await ended(Math.floor(first / 2))
  const { steps } = await vidJson(places, ['cloud', 'migrate'], env)
  if (steps.length === 0) wrong.push('both versions have the same tables: take an older one')
  console.log(`migrated while the older version rendered: ${steps.length} steps`)
  await submit(2)
  const now = [await start(places, 'api'), await start(places, 'worker')]
  apis.push(connectCloud(now[0].url, key))
  await submit(second)
  await ended(first + Math.floor(second / 2))
  for (const server of old) {
    server.child.kill('SIGTERM')
    const { code, stderr } = await server.done
    running.delete(server)
    if (code !== 0) wrong.push(`a process of the older version ended with ${code}: ${stderr.slice(-300)}`)
  }
  apis.shift()
  console.log(`stopped the older version after ${accepted.length} renders were accepted`)
  await submit(renders - accepted.length)

  let byOlder = 0
  for (const [number, { id, index }] of accepted.entries()) {
    const record = await apis[0].ended(id)
    if (record.status !== 'completed') wrong.push(`${number} ${id}: ${JSON.stringify(record).slice(0, 400)}`)
    else {
      const digest = sha256(await apis[0].download(record))
      const place = [...projects[index].digests].indexOf(digest)
      if (place === -1 || digest !== record.sha256) wrong.push(`${number} ${id} has the bytes of no local render`)
      if (place === 0 && projects[index].digests.size === 2) byOlder += 1
    }
  }
  const isTold = projects.some(({ digests }) => digests.size === 2)
  console.log(isTold ? `the older version rendered ${byOlder} videos` : 'both versions make the same bytes')
  const records = (await apis[0].ask('GET', '/v3/vid/renders?limit=100')).body.data
  if (records.length !== accepted.length)
    wrong.push(`${accepted.length} were accepted, and ${records.length} are there`)
  for (const server of now) {
    server.child.kill('SIGTERM')
    const { code } = await server.done
    running.delete(server)
    if (code !== 0) wrong.push(`a process of this version ended with ${code}`)
  }
} finally {
  await killAll(running)
  await postgres?.close()
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
for (const problem of wrong) console.log(`WRONG ${problem}`)
console.log(`${renders} renders, ${wrong.length} wrong`)
process.exitCode = wrong.length > 0 ? 1 : 0
