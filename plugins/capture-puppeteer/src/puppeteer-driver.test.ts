import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserExit, type CdpPort, findBrowser, launchFlags } from '@vid/browser'
import { expect, onTestFinished, test } from 'vitest'
import { puppeteerDriver } from './puppeteer-driver.ts'

const start = async (signal = new AbortController().signal) => {
  const profile = await mkdtemp(join(tmpdir(), 'driver-test-'))
  onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 3 }))
  const { path: executable, env, kind } = await findBrowser()
  const flags = launchFlags({
    kind,
    frameControl: false,
    width: 64,
    height: 36,
    proxy: 'http://nowhere.localhost:1',
  })
  const args = [...flags, `--user-data-dir=${profile}`]
  const browser = await puppeteerDriver.launch({ executable, env, args, signal })
  onTestFinished(() => browser.close())
  const exited = new Promise<BrowserExit>((resolve) => browser.onExit(resolve))
  return { browser, exited }
}

const evaluate = async ({ send }: CdpPort, expression: string): Promise<unknown> => {
  const answer = (await send('Runtime.evaluate', { expression })) as { result: { value: unknown } }
  return answer.result.value
}

test('each page answers its own commands and reports its own events, until its listener is removed', async () => {
  const { browser } = await start()
  const one = await browser.newPage()
  const other = await browser.newPage()
  const heard: string[] = []
  const listen = (name: string, { on }: CdpPort) => on('Runtime.consoleAPICalled', () => heard.push(name))
  const stop = listen('one', one.port)
  listen('other', other.port)
  for (const { port } of [one, other]) await port.send('Runtime.enable')
  await evaluate(one.port, 'window.name = "one"; console.log(1)')
  expect(await evaluate(one.port, 'window.name')).toBe('one')
  expect(await evaluate(other.port, 'window.name')).toBe('')
  stop()
  await evaluate(one.port, 'console.log(2)')
  await evaluate(other.port, 'console.log(3)')
  await one.close()
  expect(await evaluate(other.port, '1 + 1')).toBe(2)
  expect(heard).toEqual(['one', 'other'])
})

test('a browser that is killed is reported with its signal, also to a listener that comes later', async () => {
  const { browser, exited } = await start()
  process.kill(browser.pid, 'SIGKILL')
  expect(await exited).toMatchObject({ signal: 'SIGKILL' })
  expect(await new Promise((resolve) => browser.onExit(resolve))).toMatchObject({ signal: 'SIGKILL' })
})

test('closing ends the process', async () => {
  const { browser, exited } = await start()
  await browser.close()
  await exited
  expect(() => process.kill(browser.pid, 0)).toThrow('ESRCH')
})

const startShell = (script: string, signal = new AbortController().signal) =>
  puppeteerDriver.launch({ executable: '/bin/sh', args: ['-c', script], env: {}, signal })

test('a program that ends before it answers is reported with its exit code and last words', async () => {
  await expect(startShell('echo no room for a browser >&2; exit 3')).rejects.toThrow(
    'it ended with 3: no room for a browser',
  )
})

test('a program that does not exist is reported with its name', async () => {
  const { signal } = new AbortController()
  const starting = puppeteerDriver.launch({ executable: '/nowhere/browser', args: [], env: {}, signal })
  await expect(starting).rejects.toThrow('spawn /nowhere/browser ENOENT')
})

test('a program that never answers ends with the signal', async () => {
  const stop = new AbortController()
  const starting = startShell('echo waiting >&2; while true; do read -r line <&3 || break; done; sleep 60', stop.signal)
  stop.abort()
  await expect(starting).rejects.toThrow('it ended with SIGKILL')
})
