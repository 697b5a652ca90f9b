import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBrowser } from '../support/player-site.ts'
import { click, openPreviewPage, showsText } from '../support/preview-page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const PAGE = `<!doctype html><html><style>body { margin: 0 } #root { position: relative; width: 320px; height: 180px; background: #234 }
p { margin: 0; color: #fff }</style>
<div id="root" data-composition-id="film" data-width="320" data-height="180" data-duration="4">
<p id="one" class="clip" data-start="0" data-duration="1" data-track-index="0">One</p>
<p id="two" class="clip" data-start="2" data-duration="1" data-track-index="0">Two</p>
<p id="three" class="clip" data-start="1" data-duration="1.5" data-track-index="1">Three</p>
</div></html>`

/** Sizes of the window, in CSS pixels: a phone, a tablet, a laptop and a large screen. */
const SIZES = [
  [390, 844],
  [768, 1024],
  [1280, 800],
  [2560, 1440],
] as const

/** What lies over something else, leaves the window sideways, or has a text that is cut; empty where all is well. */
const findMisplaced = (): readonly string[] => {
  const wide = document.documentElement.clientWidth
  const isSeen = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const nameOf = (element: Element) =>
    `${element.localName}.${[...element.classList].join('.')} "${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30)}"`
  const misplaced: string[] = []
  const parts = [...document.querySelectorAll('.stage-bar, .stage, .transport, .timeline, .sidebar')].filter(isSeen)
  for (const [index, part] of parts.entries()) {
    const box = part.getBoundingClientRect()
    if (box.left < -1 || box.right > wide + 1) misplaced.push(`${nameOf(part)} leaves the window`)
    for (const other of parts.slice(index + 1)) {
      const { left, right, top, bottom } = other.getBoundingClientRect()
      const across = Math.min(box.right, right) - Math.max(box.left, left)
      const down = Math.min(box.bottom, bottom) - Math.max(box.top, top)
      if (across > 1 && down > 1) misplaced.push(`${nameOf(part)} and ${nameOf(other)} lie on each other`)
    }
  }
  for (const control of document.querySelectorAll('button, select, input, [role=tab]')) {
    if (!isSeen(control)) continue
    const { left, right, top, bottom, width, height } = control.getBoundingClientRect()
    // What only an assistive technology finds is one pixel large.
    if (width <= 1 || height <= 1) continue
    const { textOverflow } = getComputedStyle(control)
    const hasText = control.localName === 'button' && control.textContent?.trim() !== ''
    if (hasText && control.scrollWidth > control.clientWidth + 1 && textOverflow !== 'ellipsis')
      misplaced.push(`${nameOf(control)} has a text that is cut`)
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    if (y < 0 || y > innerHeight) continue
    // What scrolls sideways, as clips do, shows the rest on demand.
    const scroller = control.closest('.timeline-scroll')
    if (scroller) continue
    if (left < -1 || right > wide + 1) {
      misplaced.push(`${nameOf(control)} leaves the window`)
      continue
    }
    const above = document.elementFromPoint(x, y)
    if (above && !control.contains(above) && !above.contains(control) && !control.closest('label')?.contains(above))
      misplaced.push(`${nameOf(control)} lies under ${nameOf(above)}`)
  }
  return misplaced
}

/** Waits until two measurements in a row are the same, and returns it: a window that was resized lays itself out again. */
const measure = async (page: Page): Promise<readonly string[]> => {
  let last: string | undefined
  for (;;) {
    const misplaced = await page.evaluate(findMisplaced)
    const now = JSON.stringify(misplaced)
    if (now === last) return misplaced
    last = now
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  }
}

const select = async (page: Page, name: string) =>
  (await page.waitForSelector(`.clip[aria-label^="${name}, "]`))?.click()

test('nothing lies over anything else or is cut, in each state and at each size of the window', async () => {
  const { page, folder } = await openPreviewPage(browser, { 'index.html': PAGE })
  await page.waitForSelector('.clip:not(.fixed)')
  const problems: Record<string, readonly string[]> = {}
  const look = async (state: string) => {
    for (const [width, height] of SIZES) {
      await page.setViewport({ width, height })
      const misplaced = await measure(page)
      if (misplaced.length > 0) problems[`${state}, ${width} pixels`] = misplaced
    }
    await page.setViewport({ width: 1280, height: 800 })
  }
  await look('nothing selected')
  await click(page, 'Begin the range here')
  await page.keyboard.press('End')
  await click(page, 'End the range here')
  await look('a range')
  await select(page, 'one')
  await look('a clip selected')
  await page.keyboard.down('Shift')
  await select(page, 'two')
  await page.keyboard.up('Shift')
  await showsText(page, 'and 1 more')
  await look('several clips selected')
  await page.keyboard.press('.')
  await page.waitForFunction(() => document.querySelector('.staged')?.textContent === '1 change')
  await look('a change that is not written')
  await writeFile(
    join(folder, 'index.html'),
    PAGE.replace('id="one" class="clip" data-start="0"', 'id="one" class="clip" data-start="0.5"'),
  )
  await showsText(page, 'Another program has changed the same lines')
  await look('a conflict')
  for (const tab of ['Element', 'Changes', 'Render', 'Problems', 'Variables']) {
    await click(page, tab, 'tab')
    await look(`the panel ${tab}`)
  }
  expect(problems).toEqual({})
})
