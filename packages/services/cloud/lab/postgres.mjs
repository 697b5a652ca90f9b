// A real Postgres for the scripts about the hosted API, in a folder of its own and on the loopback, which can be killed and started again.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { descendants, kill, waitFor } from '../../../../e2e/long/support/processes.mjs'

const START_MS = 60_000
const DEBIAN = '/usr/lib/postgresql'

/** The folder of the newest Postgres that Debian has installed; '' where it is on the path. */
const programs = () => {
  try {
    const versions = readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one))
    return versions[0] ? join(DEBIAN, versions[0], 'bin') : ''
  } catch {
    return ''
  }
}

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
  return { uid: id('-u'), gid: id('-g') }
}

/** Makes and starts a Postgres; `kill` ends it as a crash would, `start` lets it recover. */
export const startPostgres = async () => {
  const user = asUser()
  const bin = programs()
  const folder = mkdtempSync(join(tmpdir(), 'vid-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const url = `postgres://vid@127.0.0.1:${port}/postgres`
  const init = ['-D', data, '-U', 'vid', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync']
  execFileSync(join(bin, 'initdb'), init, { ...user, stdio: 'ignore' })
  let child
  const isReady = () => {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)])
      return true
    } catch {
      return false
    }
  }
  const start = async () => {
    const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'max_connections=200']
    const words = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
    child = spawn(join(bin, 'postgres'), words, { ...user, stdio: 'ignore' })
    if (!(await waitFor(isReady, START_MS))) throw new Error('Postgres did not start')
  }
  const stop = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const children = descendants(child.pid)
    child.kill(signal)
    await ended
    if (signal === 'SIGKILL') for (const { pid } of children) kill(pid)
  }
  await start()
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
