import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPreview } from '@vid/preview'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { createRandom, doGesture } from '../support/gestures.ts'
import { startBrowser } from '../support/player-site.ts'
import { isOpen, openPreviewPage, pngOfPicture, showsFrame, type } from '../support/preview-page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const SEED = 32

/** A short session; all of it: `npm run lab -- preview-gestures`. */
const COUNT = Number(process.env.VID_PREVIEW_GESTURES ?? 12)

const CLIPS = 40
const TRACKS = 8

/** A composition of boxes, half of which have an id. */
const makeProject = (): string => {
  const clips = Array.from({ length: CLIPS }, (_, index) => {
    const track = index % TRACKS
    const start = Math.floor(index / TRACKS) * 3
    const id = index % 2 === 0 ? ` id="box-${index}"` : ''
    const colour = `hsl(${index * 9} 80% 50%)`
    const style = `position:absolute;left:${track * 40}px;top:${(index % 5) * 36}px;width:36px;height:30px;background:${colour}`
    return `  <p${id} data-start="${start}" data-duration="2" data-track-index="${track}" style="${style}"></p>`
  })
  return `<!doctype html>
<body style="margin:0">
<div data-composition-id="film" data-width="320" data-height="180" data-duration="16">
${clips.join('\n')}
</div>
</body>
`
}

/** Waits until the picture has what was done. */
const settles = async (page: Page) => {
  await page.waitForFunction(() => document.querySelector('.edit-bar')?.ariaBusy === 'false')
  await isOpen(page)
  await page.waitForSelector('.clip.dragged', { hidden: true })
}

/** The clips that a page shows, with their times. */
const shownClips = async (page: Page) => {
  await page.keyboard.press('Escape')
  // Drags beside the elements have moved the picture.
  await page.keyboard.press('0')
  await settles(page)
  return page.$$eval('.clip', (elements) => elements.map(({ ariaLabel }) => ariaLabel))
}

const goTo = async (page: Page, frame: number) => {
  await type(page, 'Frame', String(frame))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await showsFrame(page, frame)
}

const digestOfPicture = async (page: Page) =>
  createHash('sha256')
    .update(await pngOfPicture(page))
    .digest('hex')

/** What goes wrong in a page and its server, and the codes of what was refused. */
const watch = (page: Page) => {
  const errors: string[] = []
  const refusals = new Map<string, number>()
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 500) errors.push(`${response.status()} ${response.url()}`)
    if (response.status() < 400 || response.status() >= 500) return
    response.json().then(
      ({ error }: { error: { code: string } }) => {
        refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1)
        if (!error.code.startsWith('VID_EDIT_')) errors.push(`${error.code} ${response.url()}`)
      },
      // The page has aborted the request, so the browser has no body of it.
      () => refusals.set('aborted', (refusals.get('aborted') ?? 0) + 1),
    )
  })
  return { errors, refusals }
}

/** Takes back everything, staged and written. */
const undoAll = async (page: Page) => {
  const undo = 'button[aria-label="Undo"]'
  while (await page.$(`${undo}:enabled`)) {
    await page.click(undo)
    await settles(page)
  }
}

test(
  `${COUNT} random gestures on ${CLIPS} clips: what is staged is what is written, and all of it can be taken back`,
  async () => {
    const composition = makeProject()
    const { page, folder } = await openPreviewPage(browser, { 'index.html': composition })
    await page.waitForSelector('.clip:not(.fixed)')
    const { errors, refusals } = watch(page)
    const random = createRandom(SEED)
    for (let count = 0; count < COUNT; count++) {
      await doGesture(page, random)
      await settles(page)
      expect([count, errors]).toEqual([count, []])
    }
    const staged = await shownClips(page)
    await page.keyboard.down('Control')
    await page.keyboard.press('s')
    await page.keyboard.up('Control')
    await settles(page)
    const file = join(folder, 'index.html')
    expect(await readFile(file, 'utf8')).not.toBe(composition)

    const fresh = await createPreview({ projectDir: folder, cwd: folder })
    onTestFinished(() => fresh.close())
    const other = await browser.newPage()
    other.setDefaultTimeout(BROWSER_PATIENCE_MS)
    onTestFinished(() => other.close())
    await other.setViewport({ width: 1280, height: 800 })
    await other.goto(fresh.url)
    await isOpen(other)
    await other.waitForSelector('.clip:not(.fixed)')
    expect(staged).toEqual(await shownClips(other))
    for (const frame of [0, 95, 200, 310, 470]) {
      await goTo(page, frame)
      await goTo(other, frame)
      const isEqual = async () => (await digestOfPicture(page)) === (await digestOfPicture(other))
      await expect.poll(isEqual, { message: `frame ${frame}` }).toBe(true)
    }

    await page.bringToFront()
    await undoAll(page)
    expect(await readFile(file, 'utf8')).toBe(composition)
    expect(errors).toEqual([])
    console.info(`refused: ${JSON.stringify(Object.fromEntries(refusals))}`)
  },
  60_000 + COUNT * 10_000,
)
