import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isProcessAlive, processStart } from '../processes/process-tree.ts'
import { lockFile } from './file-lock.ts'

const newLock = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'lock')
}

/** The state of a process, as `/proc` has it: `T` is stopped, `Z` has ended without a parent that asked how. */
const stateOf = async (pid: number) => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2)[0]
}

/** A child that has ended, and whose parent never asks how: it is stopped before. */
const startZombie = async (): Promise<number> => {
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [chunk] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(String(chunk))
  onTestFinished(() => void parent.kill('SIGKILL'))
  parent.kill('SIGSTOP')
  await expect.poll(() => stateOf(parent.pid as number)).toBe('T')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => stateOf(pid)).toBe('Z')
  return pid
}

test('the lock of a killed process is free, also while its parent has not asked for its end', async () => {
  const path = await newLock()
  const pid = await startZombie()
  const begun = processStart(pid)
  expect(isProcessAlive(pid, begun)).toBe(false)
  await writeFile(path, JSON.stringify({ pid, host: hostname(), begun }))
  const lock = await lockFile(path)
  expect(lock.release).toBeDefined()
  await lock.release?.()
})

test('the lock of a running process is its own, and of another one with its number is free', async () => {
  const path = await newLock()
  const begun = processStart(process.pid)
  await writeFile(path, JSON.stringify({ pid: process.pid, host: hostname(), begun }))
  expect(await lockFile(path)).toEqual({ holder: `process ${process.pid} on ${hostname()}` })
  await writeFile(path, JSON.stringify({ pid: process.pid, host: hostname(), begun: '1' }))
  expect((await lockFile(path)).release).toBeDefined()
})
