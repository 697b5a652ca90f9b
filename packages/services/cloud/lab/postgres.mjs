// A real Postgres for tests and scripts about the hosted API, in a folder of its own, which can be killed and started again. It listens on a socket there.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { descendants, kill, waitFor } from '../../../../e2e/long/support/processes.mjs'

const START_MS = 60_000
const DEBIAN = '/usr/lib/postgresql'
const MISSING = 'Postgres 15 or newer is missing: install it with apt-get install postgresql, or put initdb on the path'

/** The folder of the newest Postgres that Debian has installed; '' where it is on the path. */
const programs = () => {
  try {
    const versions = readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one))
    return versions[0] ? join(DEBIAN, versions[0], 'bin') : ''
  } catch {
    return ''
  }
}

/** Whether a Postgres is there to be started: as root, with the user that it runs as. */
export const hasPostgres = (() => {
  try {
    execFileSync(join(programs(), 'initdb'), ['--version'], { stdio: 'ignore' })
    if (process.getuid() === 0) execFileSync('id', ['postgres'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** A port that nobody listens on. */
export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Postgres refuses to run as root: its own user takes over then. */
const asUser = () => {
  if (process.getuid() !== 0) return {}
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch (thrown) {
    throw new Error(MISSING, { cause: thrown })
  }
}

/** Runs a program of Postgres to its end. */
const run = (name, words) => {
  try {
    execFileSync(join(programs(), name), words, { ...asUser(), stdio: 'ignore' })
  } catch (thrown) {
    throw thrown.code === 'ENOENT' ? new Error(MISSING, { cause: thrown }) : thrown
  }
}

/** Makes a folder for the files of a Postgres. */
const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'vid-postgres-'))
  const { uid, gid } = asUser()
  if (uid !== undefined) chownSync(folder, uid, gid)
  return folder
}

const initialize = (folder) =>
  run('initdb', ['-D', join(folder, 'data'), '-U', 'vid', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'])

const urlAt = (folder) => `postgres://vid@localhost/postgres?host=${encodeURIComponent(folder)}`

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

/** The server of a folder with files; it listens on a socket there. */
const serverIn = (folder, more = []) => {
  let child
  const isReady = () => {
    try {
      execFileSync(join(programs(), 'pg_isready'), ['-q', '-h', folder])
      return true
    } catch {
      return false
    }
  }
  return {
    async start() {
      const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=200', ...more]
      const words = ['-D', join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])]
      child = spawn(join(programs(), 'postgres'), words, { ...asUser(), stdio: 'ignore' })
      if (!(await waitFor(isReady, START_MS))) throw new Error('Postgres did not start')
    },
    async stop(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      const children = descendants(child.pid)
      child.kill(signal)
      await ended
      if (signal === 'SIGKILL') for (const { pid } of children) kill(pid)
    },
  }
}

/**
 * Makes a Postgres, and starts it unless `isStarted` is false. `kill` ends it as a crash would, `start` lets it recover.
 * It ends by itself within a minute once its folder is gone.
 */
export const startPostgres = async ({ isStarted = true } = {}) => {
  const folder = makeFolder()
  initialize(folder)
  const { start, stop } = serverIn(folder)
  if (isStarted) await start()
  return {
    url: urlAt(folder),
    start,
    kill: () => stop('SIGKILL'),
    async close() {
      await stop('SIGQUIT')
      remove(folder)
    },
  }
}

/** Nothing is committed that the standby does not have. */
const REPLICATED = ['synchronous_standby_names=*', 'fsync=off']

/**
 * Makes a Postgres with a standby. `kill` ends it as the loss of its machine would, and `start` has the standby take its
 * place at the same address, with a new standby behind it.
 */
export const startReplicatedPostgres = async () => {
  const place = makeFolder()
  const address = join(place, 'current')
  const point = (folder) => {
    symlinkSync(folder, `${address}.new`)
    renameSync(`${address}.new`, address)
  }
  const addStandby = async (primary) => {
    const folder = makeFolder()
    run('pg_basebackup', [
      '-h',
      primary.folder,
      '-U',
      'vid',
      '-D',
      join(folder, 'data'),
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
    ])
    const server = serverIn(folder, REPLICATED)
    await server.start()
    return { folder, server }
  }
  const folder = makeFolder()
  initialize(folder)
  let primary = { folder, server: serverIn(folder, REPLICATED) }
  await primary.server.start()
  let standby = await addStandby(primary)
  point(primary.folder)
  return {
    url: urlAt(address),
    kill: () => primary.server.stop('SIGKILL'),
    async start() {
      run('pg_ctl', ['promote', '-w', '-D', join(standby.folder, 'data')])
      point(standby.folder)
      remove(primary.folder)
      primary = standby
      standby = await addStandby(primary)
    },
    async close() {
      for (const { server, folder } of [primary, standby]) {
        await server.stop('SIGQUIT')
        remove(folder)
      }
      remove(place)
    },
  }
}
