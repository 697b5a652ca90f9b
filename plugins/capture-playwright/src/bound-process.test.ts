import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { boundToUs } from './bound-process.ts'
import { membersOf } from './fixtures/processes.ts'

test.runIf(process.platform === 'linux')('a bound process ends with the process that started it', async () => {
  const signal = new AbortController().signal
  const { executable, args } = boundToUs({ executable: 'sleep', args: ['600'], env: {}, signal })
  const script = `const { spawn } = require('node:child_process')
    const child = spawn(...${JSON.stringify([executable, args])}, { detached: true, stdio: 'ignore' })
    console.log(child.pid)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(said.toString())
  // The program runs once it is bound.
  await expect.poll(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/^sleep\0/)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await expect.poll(() => membersOf(pid)).toEqual([])
})
