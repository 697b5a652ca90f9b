import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type {} from '@vid/player'
import { createPreview } from '@vid/preview'
import { decodePng } from '@vid/testkit'
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { expect, onTestFinished } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { makePreviewProject } from './preview-project.ts'

interface PreviewPageOptions {
  /** Runs in each document first. */
  readonly before?: () => void
  /** Whether a picture is waited for. */
  readonly isShown?: boolean
  /** Whether the first frame is shown, in place of the one at which much is visible. */
  readonly atStart?: boolean
  /** Whether the composition is checked whenever it has rested: each check starts a browser. */
  readonly isChecked?: boolean
}

/** Chooses when the composition is checked, as a person does in the panel. */
const chooseChecks = (isChecked: boolean) => {
  if (window === window.top) localStorage.setItem('vid-preview-checks', String(isChecked))
}

/** Opens the page of a preview as the person who started it, and waits for the first picture. */
export const openPreviewPage = async (
  browser: Pick<Browser, 'createBrowserContext'>,
  files: Readonly<Record<string, string>> = {},
  { before, isShown = true, atStart = isShown, isChecked = false }: PreviewPageOptions = {},
) => {
  const folder = await makePreviewProject()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const preview = await createPreview({
    projectDir: folder,
    cwd: folder,
    env: { ...process.env, EDITOR: 'true' },
  })
  onTestFinished(() => preview.close())
  // Previews of all tests have one address: what a page has stored for itself is not for the page of the next test.
  const context = await browser.createBrowserContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  await page.setViewport({ width: 1280, height: 800 })
  await page.evaluateOnNewDocument(chooseChecks, isChecked)
  if (before) await page.evaluateOnNewDocument(before)
  await page.goto(preview.url)
  if (isShown) await isOpen(page)
  if (atStart) {
    await page.keyboard.press('Home')
    await showsFrame(page, 0)
  }
  return { page, folder, preview }
}

/** Waits until a composition shows the frame at which it opens. */
export const isOpen = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelector('vid-player')?.readyState === 4 && document.querySelector('.stage')?.ariaBusy === 'false',
  )

/** The element with a name, once it is there. */
export const named = (page: Page, name: string, role = ''): Promise<ElementHandle<Element> | null> =>
  page.waitForSelector(`::-p-aria([name="${name}"]${role && `[role="${role}"]`})`)

/** Clicks what has a name. */
export const click = async (page: Page, name: string, role = '') => (await named(page, name, role))?.click()

/** Replaces the text of a field as a person does. */
export const type = async (page: Page, name: string, text: string) => {
  await (await named(page, name, 'textbox'))?.click({ count: 3 })
  await page.keyboard.type(text)
}

/** Waits until a frame is shown. */
export const showsFrame = (page: Page, frame: number) =>
  page.waitForFunction(
    (frame) => document.querySelector('vid-player')?.frame === frame && !document.querySelector('vid-player')?.seeking,
    {},
    frame,
  )

/** What an element shows, for a poll: null until it is there. */
export const textOf = (page: Page, selector: string): Promise<string | null> =>
  page.evaluate((selector) => document.querySelector(selector)?.textContent ?? null, selector)

/** Waits until the page has a text. */
export const showsText = (page: Page, text: string) =>
  page.waitForFunction((text) => document.body.textContent?.includes(text), {}, text)

/** Waits until the page has a text no more. */
export const hidesText = (page: Page, text: string) =>
  page.waitForFunction((text) => !document.body.textContent?.includes(text), {}, text)

/**
 * PNG of the picture as it is drawn now. Within the viewport: a screenshot beyond it resizes the page first, and an
 * iframe that is busy does not draw in time for that.
 */
export const pngOfPicture = async (page: Page): Promise<Uint8Array> =>
  (await (await page.$('.picture'))?.screenshot({ captureBeyondViewport: false })) ?? new Uint8Array()

/** Colour of the picture at a point of the composition. */
export const colourAt = async (page: Page, x: number, y: number): Promise<readonly number[]> => {
  const { width, data } = decodePng(await pngOfPicture(page))
  const offset = (Math.round((y * width) / 320) * width + Math.round((x * width) / 320)) * 4
  return [...data.slice(offset, offset + 3)]
}

/** Waits until the picture has a colour at a point. */
export const showsColour = (page: Page, x: number, y: number, colour: readonly number[]) =>
  expect.poll(() => colourAt(page, x, y)).toEqual(colour)
