// Attacks a render server as strangers can, and looks for what it lets through, loses or keeps: npm run lab -- producer-attacks.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readManifest, writeProjectZip } from '@vid/project'
import { diskAttacks } from './disk-attacks.mjs'
import { networkAttacks } from './network-attacks.mjs'
import { renderAttacks } from './render-attacks.mjs'
import { listed, makePlaces, page, startServer } from './server.mjs'

const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: '' }, help: { type: 'boolean', default: false } },
})
if (flags.help) {
  console.log(`npm run lab -- producer-attacks [--only TEXT]

Attacks one server by the network, by compositions and by a full disk; --only runs those whose names contain a text.`)
  process.exit()
}

/** The folder of the state is a small disk of its own, which only this script and its server see. */
const DISK = '24m'
const inside = process.env.PRODUCER_ATTACKS_INSIDE
if (!inside) {
  const work = mkdtempSync(join(tmpdir(), 'vid-producer-attacks-'))
  mkdirSync(join(work, 'state'))
  const user = process.getuid() === 0 ? [] : ['--user', '--map-root-user']
  const mount = `mount -t tmpfs -o size=${DISK},mode=700 tmpfs "$0/state" && exec "$@"`
  const words = [...user, '--mount', 'sh', '-c', mount, work, process.execPath, fileURLToPath(import.meta.url)]
  const { status } = spawnSync('unshare', [...words, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, PRODUCER_ATTACKS_INSIDE: work },
  })
  rmSync(work, { recursive: true, force: true })
  process.exit(status ?? 1)
}

const places = makePlaces(inside)
mkdirSync(join(places.root, 'c0'))
writeFileSync(join(places.root, 'c0', 'index.html'), page('teal'))
const zipFile = join(inside, 'c0.zip')
await writeProjectZip(join(places.root, 'c0'), await readManifest(join(places.root, 'c0')), zipFile)
const zip = readFileSync(zipFile)

let run = 0
let bad = 0
const runAll = async (attacks, args) => {
  const chosen = Object.entries(attacks).filter(([name]) => name.includes(flags.only))
  if (chosen.length === 0) return
  const server = Object.assign(await startServer(places, args, { VID_CACHE: 'off' }), { zip })
  try {
    for (const [name, attack] of chosen) {
      const startedMs = performance.now()
      const wrong = await attack(server, places).catch((cause) => [String(cause.stack)])
      if (server.child.exitCode !== null) wrong.push('the server has ended')
      run += 1
      bad += wrong.length > 0 ? 1 : 0
      const seconds = Math.round((performance.now() - startedMs) / 1000)
      console.log(`${wrong.length > 0 ? 'WRONG' : 'ok   '} ${name} (${seconds} s)`)
      for (const problem of wrong) console.log(`        ${problem}`)
    }
  } finally {
    server.child.kill('SIGTERM')
    await server.done
    if (bad > 0) writeFileSync(join(tmpdir(), 'vid-producer-attacks-log.txt'), server.stderr)
  }
  const files = listed(places.temp)
  if (files.length > 0) console.log(`WRONG temporary files: ${files.slice(0, 8)}`)
  bad += files.length > 0 ? 1 : 0
}
const plain = ['--max-upload', '64M', '--drain-timeout', '0']
await runAll(networkAttacks, plain)
await runAll(renderAttacks, plain)
await runAll(diskAttacks, [...plain, '--state', places.state])
console.log(`${run} attacks, ${bad} wrong`)
process.exitCode = bad > 0 ? 1 : 0
