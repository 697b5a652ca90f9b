// Runs `vid producer` as a process of its own, and says what it holds and what it leaves behind.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startVid } from '../../../../e2e/long/support/command.mjs'
import { descendants, waitFor } from '../../../../e2e/long/support/processes.mjs'

const START_MS = 120_000

/** A composition of three frames and 32 × 32 pixels, of one colour. */
export const page = (colour, body = '', seconds = 0.1) =>
  `<!doctype html><html><body style="margin:0"><div data-composition-id="root" data-width="32" data-height="32" data-duration="${seconds}" data-no-timeline style="width:32px;height:32px;background:${colour}">${body}</div></body></html>`

/** The folders of a server: its root, and a temporary folder of its own, in which everything left over is seen. */
export const makePlaces = (work) => {
  const places = { root: join(work, 'root'), temp: join(work, 'temp'), state: join(work, 'state') }
  for (const folder of [places.root, places.temp]) mkdirSync(folder, { recursive: true })
  return places
}

/** Starts the built command and waits until it listens. */
export const startServer = async ({ root, temp }, args = [], env = {}) => {
  const words = ['producer', '--port', '0', '--json', '--output-ttl', '7200', ...args]
  const server = startVid(words, { cwd: root, env: { ...process.env, TMPDIR: temp, ...env } })
  await waitFor(() => server.isOver || server.stdout.includes('\n'), START_MS)
  if (server.isOver || !server.stdout.includes('\n')) throw new Error(`the server did not start\n${server.stderr}`)
  return Object.assign(server, { url: JSON.parse(server.stdout.split('\n')[0]).url })
}

/** What a server logs, as objects. */
export const logOf = ({ stderr }) =>
  stderr.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)]
    } catch {
      return [] // Not a line of the log.
    }
  })

/** Descriptors, threads of work below it and memory of a process: what it holds. */
export const holdings = (pid) => ({
  descriptors: readdirSync(`/proc/${pid}/fd`).length,
  processes: descendants(pid).length,
  memoryMiB: Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024),
})

/** Every file and folder below a folder. */
export const listed = (folder) => {
  try {
    return readdirSync(folder, { recursive: true }).sort()
  } catch (cause) {
    if (cause.code === 'ENOENT') return []
    throw cause
  }
}
