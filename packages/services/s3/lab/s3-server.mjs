// Runs a command beside a real S3 server, Ceph's gateway over a store in memory, on Debian:
//   npm run lab -- s3-server [--install] npx vitest run packages/services/s3
// The command finds the server in VID_S3_ENDPOINT, VID_S3_ACCESS_KEY and VID_S3_SECRET_KEY.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const words = process.argv.slice(2)
if (words[0] === '--install') {
  words.shift()
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const packages = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common']
  execFileSync('apt-get', ['update', '-qq'], options)
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
}
const [command, ...args] = words
if (!command) {
  console.error('usage: npm run lab -- s3-server [--install] <command> [arguments]')
  process.exit(2)
}

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

const folder = mkdtempSync(join(tmpdir(), 'vid-ceph-'))
for (const name of ['mon', 'osd', 'run']) mkdirSync(join(folder, name))
const fsid = randomUUID()
const osd = randomUUID()
const v2 = await freePort()
const v1 = await freePort()
const port = await freePort()
const address = `[v2:127.0.0.1:${v2}/0,v1:127.0.0.1:${v1}/0]`
const keyring = join(folder, 'keyring')
const configFile = join(folder, 'ceph.conf')
writeFileSync(
  configFile,
  `[global]
fsid = ${fsid}
mon host = ${address}
keyring = ${keyring}
osd pool default size = 1
osd pool default min size = 1
mon allow pool size one = true
osd pool default pg num = 1
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 1073741824
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
log file = ${folder}/run/$name.log
mon data = ${folder}/mon
osd data = ${folder}/osd
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
`,
)
const keys = { access: randomBytes(10).toString('hex'), secret: randomBytes(20).toString('hex') }
const run = (program, ...words) =>
  execFileSync(program, ['-c', configFile, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 120_000,
  })
const daemons = []
// They end with this process, also when it is killed.
const start = (program, ...words) => {
  const line = ['--pdeathsig', 'KILL', program, '-c', configFile, '-f', ...words]
  daemons.push(spawn('setpriv', line, { stdio: 'ignore' }))
}

let child
// Ending at once would leave the daemons: the command ends first, or the start is given up.
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    stopping.abort(new Error(`ended by ${signal}`))
    child?.kill(signal)
  })

let code = 1
try {
  const map = join(folder, 'monmap')
  execFileSync('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', address, map], { stdio: 'ignore' })
  const everything = ['mon', 'osd', 'mgr'].flatMap((part) => ['--cap', part, 'allow *'])
  // The gateway insists on keys; the monitor takes over those of all.
  for (const name of ['mon.', 'client.admin', 'osd.0']) {
    const options = name === 'mon.' ? ['--create-keyring'] : []
    const words = [...options, keyring, '--gen-key', '-n', name, ...everything]
    execFileSync('ceph-authtool', words, { stdio: 'ignore' })
  }
  run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring)
  start('ceph-mon', '-i', 'a')
  run('ceph', 'osd', 'new', osd)
  run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd)
  start('ceph-osd', '-i', '0')
  const user = ['--uid', 'vid', '--display-name', 'vid']
  run('radosgw-admin', 'user', 'create', ...user, '--access-key', keys.access, '--secret-key', keys.secret)
  start('radosgw', '-n', 'client.admin')
  const endpoint = `http://127.0.0.1:${port}`
  const end = performance.now() + 60_000
  for (;;) {
    if (
      await fetch(endpoint).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break
    if (performance.now() > end || daemons.some(({ exitCode }) => exitCode !== null))
      throw new Error('the gateway did not start')
    await wait(200, undefined, { signal: stopping.signal })
  }
  const env = {
    ...process.env,
    VID_S3_ENDPOINT: endpoint,
    VID_S3_ACCESS_KEY: keys.access,
    VID_S3_SECRET_KEY: keys.secret,
  }
  stopping.signal.throwIfAborted()
  child = spawn(command, args, { stdio: 'inherit', env })
  const [status] = await once(child, 'exit')
  code = status ?? 1
} catch (thrown) {
  console.error(String(thrown))
} finally {
  for (const daemon of daemons.reverse()) {
    if (daemon.exitCode !== null) continue
    daemon.kill('SIGKILL')
    await once(daemon, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
}
process.exit(code)
