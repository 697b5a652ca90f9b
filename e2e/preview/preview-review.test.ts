import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import axe from 'axe-core'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { startBrowser } from '../support/player-site.ts'
import {
  click,
  isOpen,
  named,
  openPreviewPage,
  showsColour,
  showsFrame,
  showsText,
  textOf,
} from '../support/preview-page.ts'
import { writeTone } from '../support/sound.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const PAGE = `<!doctype html>
<body style="margin:0;background:#fff">
<div data-composition-id="film" data-width="320" data-height="180" data-duration="4">
  <p id="one" data-start="0" data-duration="4" data-track-index="0" style="position:absolute;left:0;top:0;margin:0;width:80px;height:80px;background:#ff0000"></p>
  <div data-start="0" data-duration="4" data-track-index="1">
    <h2 style="position:absolute;left:20px;top:110px;margin:0;color:#111;font:40px Inter">Hello</h2>
  </div>
  <h1 id="pale" data-start="2" data-duration="1" data-track-index="2" style="position:absolute;left:120px;top:20px;margin:0;color:#ddd;font:40px Inter">Pale</h1>
</div>
</body>
`

const RED = [255, 0, 0]
const GREEN = [0, 255, 0]

/** Opens a composition, without or with checks after each change. */
const openComposition = async ({ composition = PAGE, isChecked = false } = {}) => {
  const opened = await openPreviewPage(browser, { 'index.html': composition }, { isChecked })
  await opened.page.waitForSelector('.clip:not(.fixed)')
  return { ...opened, source: () => readFile(join(opened.folder, 'index.html'), 'utf8') }
}

const git = (cwd: string, ...words: readonly string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd })

const hasChanges = (page: Page, text: string) =>
  page.waitForFunction((text) => document.querySelector('.staged')?.textContent === text, {}, text)

/** A point of the picture on the screen. */
const onPicture = async (page: Page, x: number, y: number) => {
  const area = await (await page.$('.picture'))?.boundingBox()
  if (!area) throw new Error('there is no picture')
  return { x: area.x + (x * area.width) / 320, y: area.y + (y * area.width) / 320 }
}

const clickPicture = async (page: Page, x: number, y: number) => {
  const point = await onPicture(page, x, y)
  await page.mouse.click(point.x, point.y)
}

/** Replaces the text of a field of the panel, and ends it. */
const fill = async (page: Page, name: string, text: string) => {
  await (await named(page, name, 'textbox'))?.click({ count: 3 })
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

const hasNoFindingsOfAxe = async (page: Page, state: string) => {
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { iframes: false })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
  expect(violations, state).toEqual([])
}

test('findings of the check are listed and marked on the timeline, and lead to their time and element', async () => {
  const { page } = await openComposition({ isChecked: true })
  const mark = await page.waitForSelector('.stretch[aria-label^="contrast, 00:02."]')
  await mark?.click()
  await page.waitForFunction(() => (document.querySelector('vid-player')?.frame ?? 0) >= 60)
  await page.waitForSelector('.clip[aria-label^="pale, "][aria-pressed="true"]')
  await page.waitForSelector('.selected-box')
  await named(page, 'Open index.html:8 in true')
  await hasNoFindingsOfAxe(page, 'findings')
  await page.keyboard.press('Home')
  await showsFrame(page, 0)
  await (await page.waitForSelector('.problem[aria-current="true"] .place'))?.click()
  await page.waitForFunction(() => (document.querySelector('vid-player')?.frame ?? 0) >= 60)
})

longTest('findings follow what is staged, and are checked on request alone where that is chosen', async () => {
  const { page } = await openComposition({ isChecked: true })
  await page.waitForSelector('.stretch.error, .stretch.warning')
  await (await page.waitForSelector('.clip[aria-label^="pale, "]'))?.click()
  await click(page, 'Element', 'tab')
  await fill(page, 'Fill', '#111111')
  await hasChanges(page, '1 change')
  await page.waitForFunction(() => !document.querySelector('.stretch[aria-label^="contrast"]'))
  await click(page, 'Problems', 'tab')
  await showsText(page, 'in the composition as it is staged')
  await (await page.waitForSelector('.panel input[type="checkbox"]'))?.click()
  await click(page, 'Undo', 'button')
  await hasChanges(page, 'No changes')
  await showsText(page, 'These findings are of the composition before the last change.')
  await click(page, 'Check the composition', 'button')
  await page.waitForSelector('.stretch[aria-label^="contrast"]')
})

test('frames that what is staged changes are counted and marked, and the frame before is shown while a key is held', async () => {
  const { page } = await openComposition({
    composition: PAGE.replace('data-duration="4" data-track-index="0"', 'data-duration="1" data-track-index="0"'),
  })
  await page.waitForSelector('button[aria-label="Before the changes"]:disabled')
  await (await page.waitForSelector('.clip[aria-label^="one, "]'))?.click()
  await click(page, 'Element', 'tab')
  await fill(page, 'Fill', '#00ff00')
  await hasChanges(page, '1 change')
  await showsColour(page, 40, 40, GREEN)
  await click(page, 'Changes', 'tab')
  await showsText(page, '30 of 120 frames differ from the files as they are written')
  await page.waitForSelector('.stretch.changed[aria-label="Frames 0 to 29 differ: #one"]')
  await hasNoFindingsOfAxe(page, 'changed frames')
  await page.keyboard.down('b')
  await showsText(page, 'Frame 0 before the staged changes, as the files are')
  await showsColour(page, 40, 60, RED)
  await page.keyboard.up('b')
  await showsColour(page, 40, 60, GREEN)
  const button = await (await named(page, 'Before the changes', 'button'))?.boundingBox()
  if (!button) throw new Error('there is no button')
  await page.mouse.move(button.x + 4, button.y + 4)
  await page.mouse.down()
  await showsColour(page, 40, 60, RED)
  await page.mouse.up()
  await showsColour(page, 40, 60, GREEN)
  await click(page, 'Write', 'button')
  await hasChanges(page, 'No changes')
  await page.waitForSelector('.stretch.changed', { hidden: true })
})

longTest('frames that have changed since the last commit are marked, and the frame of that is shown', async () => {
  const { page, folder } = await openComposition()
  await git(folder, 'init', '-q')
  await git(folder, 'add', '.')
  await git(folder, 'commit', '-qm', 'a')
  await writeFile(join(folder, 'index.html'), PAGE.replace('#ff0000', '#00ff00'))
  await showsColour(page, 40, 40, GREEN)
  await page.select('select[aria-label="Since when changed frames are shown"]', 'head')
  await page.waitForSelector('.stretch.changed[aria-label="Frames 0 to 119 differ: #one"]')
  await page.keyboard.down('b')
  await showsText(page, 'Frame 0 at HEAD, the last commit')
  await showsColour(page, 40, 40, RED)
  await page.keyboard.up('b')
})

longTest(
  'an element without an id is selected on the picture by its place in the source, moved and changed',
  async () => {
    const { page, source } = await openComposition()
    await clickPicture(page, 40, 135)
    await page.waitForSelector('.selected-box:not(.fixed)')
    await named(page, 'Open index.html:6 in true')
    const start = await onPicture(page, 40, 135)
    const end = await onPicture(page, 70, 125)
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.keyboard.down('Alt')
    await page.mouse.move(end.x, end.y, { steps: 5 })
    await page.keyboard.up('Alt')
    await page.mouse.up()
    await hasChanges(page, '1 change')
    await isOpen(page)
    await page.waitForSelector('.selected-box:not(.fixed)')
    await fill(page, 'Opacity', '0.5')
    await hasChanges(page, '2 changes')
    await click(page, 'Write', 'button')
    await hasChanges(page, 'No changes')
    expect(await source()).toMatch(
      /<h2 style="position:absolute;left:\d\dpx;top:100px;margin:0;color:#111;font:40px Inter;\s?opacity:\s?0\.5;?">/,
    )
  },
)

test('writing loads no composition again, since the picture shows it already', async () => {
  const { page } = await openComposition()
  await page.evaluate(() => {
    Reflect.set(window, 'loads', 0)
    document.querySelector('vid-player')?.addEventListener('canplaythrough', () => {
      Reflect.set(window, 'loads', Number(Reflect.get(window, 'loads')) + 1)
    })
  })
  const loads = (count: number) => page.waitForFunction((count) => Reflect.get(window, 'loads') === count, {}, count)
  await (await page.waitForSelector('.clip[aria-label^="one, "]'))?.click()
  await page.keyboard.press('.')
  await loads(1)
  const listed = page.waitForResponse((response) => response.url().includes('/api/composition'))
  await click(page, 'Write', 'button')
  await hasChanges(page, 'No changes')
  // The page reads the composition again after the change of the file.
  await listed
  await isOpen(page)
  await page.keyboard.press('.')
  await hasChanges(page, '1 change')
  await loads(2)
})

const SOUND = PAGE.replace(
  '</div>\n</body>',
  '  <audio id="tone" src="tone.wav" data-start="0" data-duration="3" data-track-index="3" data-volume="0.5"></audio>\n</div>\n</body>',
)

/** Opens a composition with a sound, and its clip. */
const openSound = async () => {
  const { page, folder, source } = await openComposition()
  await writeTone(join(folder, 'tone.wav'), 440, 3)
  await writeFile(join(folder, 'index.html'), SOUND)
  const clip = await page.waitForSelector('.clip[aria-label^="tone, "]:not(.fixed)')
  await isOpen(page)
  await clip?.hover()
  const part = async (selector: string) => {
    const area = await (await page.waitForSelector(`.clip[aria-label^="tone, "] ${selector}`))?.boundingBox()
    if (!area) throw new Error(`there is no ${selector}`)
    return { x: area.x + area.width / 2, y: area.y + area.height / 2 }
  }
  const dragBy = async (selector: string, x: number, y: number) => {
    const start = await part(selector)
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move(start.x + x, start.y + y, { steps: 4 })
  }
  return { page, source, dragBy }
}

test('the volume of a clip is dragged on it, and Escape leaves it as it was', async () => {
  const { page, source, dragBy } = await openSound()
  await dragBy('.level', 0, -6)
  await expect.poll(() => textOf(page, '.sound-value')).toBe('Volume 75 %')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await page.waitForSelector('.sound-value', { hidden: true })
  await hasChanges(page, 'No changes')
  await dragBy('.level', 0, -6)
  await page.mouse.up()
  await hasChanges(page, '1 change')
  await click(page, 'Write', 'button')
  await hasChanges(page, 'No changes')
  expect(await source()).toBe(SOUND.replace('data-volume="0.5"', 'data-volume="0.75"'))
})

longTest('fades are dragged on a clip', async () => {
  const { page, source, dragBy } = await openSound()
  await dragBy('.fade-handle', 60, 0)
  await expect.poll(() => textOf(page, '.sound-value')).toMatch(/^Fade in \d\.\d\d s$/)
  await page.mouse.up()
  await hasChanges(page, '1 change')
  await click(page, 'Write', 'button')
  await hasChanges(page, 'No changes')
  expect(await source()).toMatch(/<audio[^>]* data-fade-in="\d\.?\d*"/)
  // The other side keeps its length while one is dragged.
  await dragBy('.fade-handle + .fade-handle', -60, 0)
  await expect.poll(() => textOf(page, '.sound-value')).toMatch(/^Fade out \d\.\d\d s$/)
  await page.mouse.up()
  await hasChanges(page, '1 change')
  await click(page, 'Write', 'button')
  await hasChanges(page, 'No changes')
  expect(await source()).toMatch(/<audio[^>]* data-fade-in="\d\.?\d*" data-fade-out="\d\.?\d*"/)
})

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
