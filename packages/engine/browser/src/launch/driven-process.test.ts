import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { watchProcess } from './driven-process.ts'

/** Starts a shell as the leader of a process group, with a helper that keeps its stderr open; waits for both. */
const startWithHelper = async (script: string) => {
  const child = spawn('/bin/sh', ['-c', `sleep 60 & echo $! >&2; ${script}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  onTestFinished(() => {
    child.stdin.destroy()
    child.stderr.destroy()
  })
  const running = watchProcess(child)
  if (!running) throw new Error('the shell did not start')
  const [line] = (await once(child.stderr, 'data')) as [Buffer]
  return { running, child, helper: Number(line.toString()) }
}

/** Whether a process runs: one that nobody has waited for yet does not. */
const isRunning = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits until a process is gone: one whose files are closed may still be ending. */
const untilGone = (pid: number) => expect.poll(() => isRunning(pid)).toBe(false)

test('a process that is killed has ended, though a helper holds its stderr, and the helper ends too', async () => {
  const { running, child, helper } = await startWithHelper('read line')
  child.kill('SIGKILL')
  expect(await running.exited).toMatchObject({ code: null, signal: 'SIGKILL', stderr: String(helper) })
  await untilGone(helper)
})

test('a process that ends when it is asked takes its helper along, and its exit code is reported', async () => {
  const { running, child, helper } = await startWithHelper('read line; exit 3')
  await running.end(async () => child.stdin.end('end\n'))
  expect(await running.exited).toMatchObject({ code: 3, signal: null })
  await untilGone(helper)
})
