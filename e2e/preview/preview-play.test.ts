import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBrowser } from '../support/player-site.ts'
import { click, openPreviewPage, showsColour, showsFrame, showsText, type } from '../support/preview-page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const open = () => openPreviewPage(browser)

test('plays, steps, and goes to a typed time by keys alone', async () => {
  const { page } = await open()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.down('Shift')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.up('Shift')
  await showsFrame(page, 31)
  await page.keyboard.press('End')
  await showsFrame(page, 119)
  await page.keyboard.press('Home')
  await showsFrame(page, 0)
  await page.keyboard.press('Space')
  await page.waitForFunction(() => (document.querySelector('vid-player')?.frame ?? 0) > 5)
  await page.keyboard.press('k')
  await page.waitForFunction(() => document.querySelector('vid-player')?.paused)
  await type(page, 'Time', '1.5')
  await page.keyboard.press('Enter')
  await showsFrame(page, 45)
  await type(page, 'Frame', '+10')
  await page.keyboard.press('Enter')
  await showsFrame(page, 55)
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  // Its text is in the page before it is shown.
  await page.waitForSelector('dialog[open] ::-p-text(Play backwards)')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('dialog[open]') === null)
  await page.keyboard.press('j')
  await page.waitForFunction(() => (document.querySelector('vid-player')?.frame ?? 99) < 50)
  await page.keyboard.press('Space')
})

test('what a key opens is there for the next key, however busy the page is', async () => {
  const { page } = await open()
  // Two keys that are handled one after the other, without a picture between them.
  const opened = await page.evaluate(async () => {
    const press = async (key: string, shiftKey = false) => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }))
      for (let turn = 0; turn < 20; turn++) await null
    }
    await press('?', true)
    const isListOpen = document.querySelector('dialog[open]') !== null
    document.querySelector('dialog')?.close()
    await press('c')
    return { isListOpen, focus: document.activeElement?.ariaLabel }
  })
  expect(opened).toEqual({ isListOpen: true, focus: 'Comment' })
})

test('repeats the range between its marks', async () => {
  const { page } = await open()
  await type(page, 'Frame', '60')
  await page.keyboard.press('Enter')
  await click(page, 'Begin the range here')
  await type(page, 'Frame', '69')
  await page.keyboard.press('Enter')
  await click(page, 'End the range here')
  await showsText(page, 'Range: frames 60 to 69')
  await click(page, 'Repeat')
  const seen = await page.evaluate(
    () =>
      new Promise<readonly number[]>((resolve) => {
        const player = document.querySelector('vid-player')
        const frames: number[] = []
        player?.addEventListener('frame', ({ detail: { frame } }: CustomEventInit) => {
          if (frames.length > 0 && frame < (frames.at(-1) ?? 0)) resolve([...frames, frame])
          frames.push(frame)
        })
        document.querySelector<HTMLElement>('[aria-label="Play"]')?.click()
      }),
  )
  await page.keyboard.press('k')
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(60)
  expect(Math.max(...seen)).toBeLessThan(70)
})

test('goes on playing over an edit', async () => {
  const { page, folder } = await open()
  await click(page, 'Repeat')
  await page.keyboard.press('Space')
  const file = join(folder, 'index.html')
  await writeFile(file, (await readFile(file, 'utf8')).replace('#f80', '#08f').replace('scaleX(0)', 'scaleX(1)'))
  await showsColour(page, 300, 175, [0, 0x88, 255])
  const { frame, paused } = await page.$eval('vid-player', (player) => ({
    frame: player.frame,
    paused: player.paused,
  }))
  expect(paused).toBe(false)
  await page.waitForFunction((before) => document.querySelector('vid-player')?.frame !== before, {}, frame)
})
