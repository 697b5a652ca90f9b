// Runs `vid producer` as a process of its own, and says what it holds and what it leaves behind.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { descendants, waitFor } from '../../../../scripts/processes.mjs'
import { path } from '../../../../scripts/workspaces.mjs'

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

/** Starts the built command and waits until it listens; `lines` grows with what it logs. */
export const startServer = async ({ root, temp }, args = [], env = {}) => {
  const words = ['producer', '--port', '0', '--json', '--output-ttl', '7200', ...args]
  const child = spawn(process.execPath, [path('packages/engine/cli/bin/vid.js'), ...words], {
    cwd: root,
    env: { ...process.env, TMPDIR: temp, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const server = { child, pid: child.pid, url: '', lines: [], text: '' }
  let rest = ''
  child.stderr.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop()
    server.lines.push(...parts)
  })
  child.stdout.on('data', (chunk) => {
    server.text += chunk
  })
  server.done = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })))
  let isOver = false
  server.done.then(() => {
    isOver = true
  })
  await waitFor(() => isOver || server.text.includes('\n'), START_MS)
  if (isOver || !server.text.includes('\n')) throw new Error(`the server did not start\n${server.lines.join('\n')}`)
  server.url = JSON.parse(server.text.split('\n')[0]).url
  return server
}

/** What a server logs, as objects. */
export const logOf = ({ lines }) =>
  lines.flatMap((line) => {
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
