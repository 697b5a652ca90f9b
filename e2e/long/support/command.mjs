// The built command as a process of its own, for harnesses that look at what it does and what it leaves.
import { spawn } from 'node:child_process'
import { path } from '../../../scripts/workspaces.mjs'

const PROGRAM = path('packages/engine/cli/bin/vid.js')

/**
 * Starts the command; `stdout`, `stderr` and `text`, which is both as they came, grow with what it writes. `done` resolves to
 * its exit code or signal and these texts; `until` to nothing once the text has a match, and rejects when it ends before.
 * `program` is the path of another build of the command.
 */
export const startVid = (words, { cwd, env = process.env, input = '', program = PROGRAM } = {}) => {
  const child = spawn(process.execPath, [program, ...words], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const running = { child, pid: child.pid, stdout: '', stderr: '', text: '', isOver: false }
  const watchers = new Set()
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      running[name] += text
      running.text += text
      for (const look of watchers) look()
    })
  // A command that has ended reads nothing.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  running.done = new Promise((resolve) =>
    child.once('close', (code, signal) => {
      running.isOver = true
      const { stdout, stderr, text } = running
      resolve({ code: code ?? signal, stdout, stderr, text })
    }),
  )
  running.until = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (!pattern.test(running.text)) return
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
      void running.done.then(({ stderr }) => reject(new Error(`it ended before ${pattern}: ${stderr.slice(-500)}`)))
    })
  return running
}
