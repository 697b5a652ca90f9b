import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openUserBrowser } from './browser.ts'

/** Puts a program in the place of the one that opens addresses; resolves to what it is started with. */
const catchOpener = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'xdg-open')
  await writeFile(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$#" "$1" "$HOST_API_KEY$VID_API_KEY" > ${folder}/part\nmv ${folder}/part ${folder}/started\n`,
  )
  await chmod(program, 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  return () => readFile(join(folder, 'started'), 'utf8').catch(() => '')
}

test('an address is one argument to the opener, whatever is in it, and the opener has no key', async () => {
  const started = await catchOpener()
  vi.stubEnv('HOST_API_KEY', 'secret')
  vi.stubEnv('VID_API_KEY', 'secret')
  const address = 'https://api.example.com/oauth/authorize?a=1&b=$(id)&c=%22;id'
  openUserBrowser(address)
  await expect.poll(started).toBe(`1\n${address}\n\n`)
})

test('what is no web address is opened by nothing', async () => {
  const started = await catchOpener()
  openUserBrowser('file:///etc/passwd')
  openUserBrowser('https://api.example.com/')
  await expect.poll(started).toContain('https://api.example.com/')
})
