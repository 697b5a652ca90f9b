import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaptureSession } from '@vid/kernel'
import { afterAll, expect, test, vi } from 'vitest'
import { expectGone, membersOf } from './fixtures/processes.ts'
import { movingPage, openSession, scratchFolder, watchDriver } from './fixtures/session.ts'
import { playwrightDriver } from './playwright-driver.ts'

/** The folder for temporary files of this test alone: those beside it run at the same time. */
const temporary = mkdtempSync(join(tmpdir(), 'capture-test-'))
vi.stubEnv('TMPDIR', temporary)
afterAll(() => rm(temporary, { recursive: true, force: true }))

/** Folders that Playwright makes beside the profile. */
const foldersOfPlaywright = () => readdirSync(temporary).filter((name) => name.startsWith('playwright'))

/** Expects that a driver has left no process and no file. */
const expectNothingLeft = ({ browsers, profiles }: ReturnType<typeof watchDriver>) =>
  expectGone(browsers, profiles, foldersOfPlaywright)

/** Reads frames without end, and does something after frame 5. */
const readUntil = async (session: CaptureSession, act: () => void) => {
  for await (const { index } of session.frames({ index: 0, start: 0, frames: 3000 }, ['png'])) if (index === 5) act()
}

test('a browser that is killed while it captures is reported at once with its signal, and leaves no process and no file', async () => {
  const watched = watchDriver()
  // A page that does not answer would be waited for longer than this test may take.
  const { session } = await openSession(movingPage(), { driver: watched.driver, livenessMs: 600_000 })
  const reading = readUntil(session, () => {
    expect(membersOf(watched.browsers[0]?.pid ?? Number.NaN).length).toBeGreaterThan(1)
    expect(foldersOfPlaywright().length).toBeGreaterThan(0)
    process.kill(watched.browsers[0]?.pid ?? Number.NaN, 'SIGKILL')
  })
  await expect(reading).rejects.toMatchObject({
    code: 'VID_BROWSER_CRASHED',
    message: expect.stringMatching(/SIGKILL/),
  })
  await session.close()
  await expectNothingLeft(watched)
})

test('a page that crashes is reported, and leaves no process and no file', async () => {
  const watched = watchDriver()
  const { session } = await openSession(movingPage(), { driver: watched.driver })
  const reading = readUntil(session, () => {
    watched.pages[0]?.port.send('Page.crash').catch(() => {})
  })
  await expect(reading).rejects.toMatchObject({ code: 'VID_PAGE_CRASHED' })
  await session.close()
  await expectNothingLeft(watched)
})

test('an abort while frames are read stops them and closes everything', async () => {
  const watched = watchDriver()
  const stop = new AbortController()
  const { session } = await openSession(movingPage(), { driver: watched.driver, signal: stop.signal })
  const reading = readUntil(session, () => stop.abort(new Error('enough')))
  await expect(reading).rejects.toMatchObject({
    code: 'VID_CAPTURE_ABORTED',
    message: expect.stringMatching(/enough/),
  })
  await session.close()
  await expectNothingLeft(watched)
})

test('an abort while a browser starts ends it, also one that never answers', async () => {
  const folder = await scratchFolder()
  const program = join(folder, 'silent')
  await writeFile(program, '#!/bin/sh\necho $$ > "$0.pid"\nexec cat <&3\n', { mode: 0o755 })
  const stop = new AbortController()
  const launching = playwrightDriver.launch({
    executable: program,
    env: {},
    args: [`--user-data-dir=${folder}`],
    signal: stop.signal,
  })
  const outcome = launching.then(
    () => 'it started',
    ({ message }: Error) => message,
  )
  await expect.poll(() => existsSync(`${program}.pid`)).toBe(true)
  stop.abort()
  expect(await outcome).toMatch(/SIGKILL/)
  expect(foldersOfPlaywright()).toEqual([])
})

test('a program that is not a browser is reported with its output', async () => {
  const path = join(await scratchFolder(), 'broken')
  await writeFile(path, '#!/bin/sh\necho "libnss3.so is missing" >&2\nexit 7\n', { mode: 0o755 })
  const executable = { path, env: {}, version: '0', kind: 'headless-shell', source: 'option' } as const
  await expect(openSession(movingPage(), { executable })).rejects.toMatchObject({
    code: 'VID_BROWSER_LAUNCH',
    message: expect.stringMatching(/broken.*7.*libnss3\.so is missing/s),
  })
})

test('an endless loop is reported with its frame and line', async () => {
  const page = movingPage(`addEventListener('vid-seek', ({ detail }) => { while (detail.time > 0.05) {} })`)
  const { session } = await openSession(page, { livenessMs: 1_000 })
  await expect(readUntil(session, () => {})).rejects.toMatchObject({
    code: 'VID_PAGE_UNRESPONSIVE',
    message: expect.stringMatching(/frame 2.*index\.html:\d+/),
  })
})

test('dialogs, popups and downloads of a page are refused and reported, and the page cannot detect the library', async () => {
  const page = movingPage(`
    alert('hello')
    window.open('https://example.com/popup')
    debugger
    const names = Object.getOwnPropertyNames(window).filter((name) => /playwright|__pw/i.test(name))
    console.error('names of the library:', names.length, 'colour scheme light:', matchMedia('(prefers-color-scheme: light)').matches)`)
  const { session, warnings } = await openSession(page)
  await expect(
    readUntil(session, () => {
      throw new Error('read')
    }),
  ).rejects.toThrow('read')
  const messagesOf = (code: string) => warnings.filter((warning) => warning.code === code).map(({ message }) => message)
  expect(messagesOf('VID_DIALOG_DISMISSED')).toEqual([expect.stringContaining('hello')])
  expect(messagesOf('VID_POPUP_REFUSED')).toEqual([expect.stringContaining('example.com/popup')])
  expect(messagesOf('VID_CONSOLE_ERROR')).toEqual([expect.stringContaining('library: 0 colour scheme light: true')])
})

test('the error of a refused command names the command, and a command to a closed page fails', async () => {
  const watched = watchDriver()
  await openSession(movingPage(), { driver: watched.driver })
  const page = watched.pages[0]
  await expect(page?.port.send('No.such')).rejects.toThrow(/Protocol error \(No\.such\)/)
  const pending = page?.port.send('Runtime.evaluate', {
    expression: 'new Promise(() => {})',
    awaitPromise: true,
  })
  const [outcome] = await Promise.allSettled([pending, page?.close()])
  expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the page was closed' } })
  await expect(page?.port.send('Page.enable')).rejects.toThrow(/closed/)
})

test('a pending command fails when the browser ends', async () => {
  const watched = watchDriver()
  await openSession(movingPage(), { driver: watched.driver })
  const pending = watched.pages[0]?.port.send('Runtime.evaluate', {
    expression: 'new Promise(() => {})',
    awaitPromise: true,
  })
  process.kill(watched.browsers[0]?.pid ?? Number.NaN, 'SIGKILL')
  await expect(pending).rejects.toThrow(/the (browser|page) was closed/)
})
