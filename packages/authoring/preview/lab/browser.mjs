// The browser in which scripts use the page of a preview.
import { findBrowser } from '@vid/browser'
import puppeteer from 'puppeteer-core'

/** Starts the browser of a render without a window. */
export const startBrowser = async () => {
  const { path: executablePath, env } = await findBrowser()
  return puppeteer.launch({
    executablePath,
    headless: 'shell',
    pipe: true,
    args: ['--no-sandbox'],
    env: { ...process.env, ...env },
  })
}

/** Waits until a page shows what was staged, and nothing is dragged. */
export const isStill = (page) =>
  page.waitForFunction(
    () =>
      document.querySelector('.stage')?.ariaBusy === 'false' &&
      document.querySelector('.edit-bar')?.ariaBusy === 'false' &&
      document.querySelector('.clip.dragged') === null,
  )
