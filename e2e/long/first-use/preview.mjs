// Opens the page of a preview in a browser, as the person who started it does.
import { writeFileSync } from 'node:fs'
import { findBrowser, launchFlags } from '@vid/browser'
import { launch } from 'puppeteer-core'
import { waitFor } from '../support/processes.mjs'
import { startLine } from './newcomer.mjs'

const START_MS = 120_000
const END_MS = 120_000
/** Flags of a render's browser by which it reaches the site of the render alone. */
const CONFINING = /^--(?:proxy-|host-resolver-rules)/

/** Waits for the first picture of an address, and takes a picture of the page; resolves to what is wrong. */
const lookAt = async (url, picture) => {
  const { path, env, kind } = await findBrowser()
  const size = { width: 1280, height: 800 }
  const flags = launchFlags({ kind, frameControl: false, ...size, proxy: 'http://none.localhost:1' })
  const browser = await launch({
    executablePath: path,
    headless: 'shell',
    pipe: true,
    env: { ...process.env, ...env },
    args: [...flags.filter((flag) => !CONFINING.test(flag)), '--no-sandbox'],
  })
  try {
    const page = await browser.newPage()
    const problems = []
    page.on('pageerror', (error) => problems.push(`the page of the preview: ${error}`))
    await page.setViewport(size)
    await page.goto(url)
    await page.waitForFunction("document.querySelector('vid-player')?.readyState === 4", {
      timeout: START_MS,
    })
    writeFileSync(picture, await page.screenshot())
    return problems
  } finally {
    await browser.close()
  }
}

const isRunning = (group) => {
  try {
    return process.kill(group, 0)
  } catch {
    return false
  }
}

/** Starts the preview by a line, takes a picture of its page, and ends it by Ctrl-C; resolves as a line that has ended does. */
export const tryPreview = async (newcomer, folder, line, picture) => {
  const preview = startLine(newcomer, folder, line)
  let isOver = false
  void preview.done.then(() => {
    isOver = true
  })
  const address = () => /^preview: (\S+)/m.exec(preview.text)?.[1]
  await waitFor(() => isOver || address(), START_MS)
  const url = address()
  const problems = url ? await lookAt(url, picture).catch((cause) => [String(cause)]) : ['no address is said']
  const group = -preview.child.pid
  if (!isOver) process.kill(group, 'SIGINT')
  const { code, text } = await preview.done
  const isGone = await waitFor(() => !isRunning(group), END_MS)
  // A shell ends by the signal that it was sent.
  return { code: code ?? 0, text, problems: [...problems, ...(isGone ? [] : ['processes of it still run'])] }
}
