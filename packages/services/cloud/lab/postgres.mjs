// A real Postgres for tests and scripts about the hosted API, in a folder of its own, which can be killed and started again. It listens on a socket there.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
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

/** Makes the files of a Postgres in a new folder. */
const makeFiles = (folder, bin, user) => {
  try {
    const words = ['-D', join(folder, 'data'), '-U', 'vid', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync']
    execFileSync(join(bin, 'initdb'), words, { ...user, stdio: 'ignore' })
  } catch (thrown) {
    throw thrown.code === 'ENOENT' ? new Error(MISSING, { cause: thrown }) : thrown
  }
}

/**
 * Makes a Postgres, and starts it unless `isStarted` is false. `kill` ends it as a crash would, `start` lets it recover.
 * It ends by itself within a minute once its folder is gone.
 */
export const startPostgres = async ({ isStarted = true } = {}) => {
  const user = asUser()
  const bin = programs()
  const folder = mkdtempSync(join(tmpdir(), 'vid-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const url = `postgres://vid@localhost/postgres?host=${encodeURIComponent(folder)}`
  makeFiles(folder, bin, user)
  let child
  const isReady = () => {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-q', '-h', folder])
      return true
    } catch {
      return false
    }
  }
  const start = async () => {
    const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=200']
    const words = ['-D', join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])]
    child = spawn(join(bin, 'postgres'), words, { ...user, stdio: 'ignore' })
    if (!(await waitFor(isReady, START_MS))) throw new Error('Postgres did not start')
  }
  const stop = async (signal) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const children = descendants(child.pid)
    child.kill(signal)
    await ended
    if (signal === 'SIGKILL') for (const { pid } of children) kill(pid)
  }
  if (isStarted) await start()
  return {
    url,
    start,
    kill: () => stop('SIGKILL'),
    async close() {
      await stop('SIGQUIT')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
