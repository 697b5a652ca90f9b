import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { expect } from 'vitest'
import { delayAnswers, listCalls } from './late-answers.ts'
import { createIntents, doLateGestures, findStrays, lateComposition } from './late-gestures.ts'
import { click, isOpen, openPreviewPage, textOf } from './preview-page.ts'

/** Gestures after which what is staged is dropped, so that boxes stay near their places. */
const BATCH = 15

/** What some gestures come to, else nothing was tried; which do depends on how late the answers are. */
const KINDS = ['style', 'text', 'move'] as const
/** More gestures are done until all kinds have happened, at most this many times as many. */
const MAX_TIMES = 10

const rests = async (page: Page) => {
  await page.waitForFunction(() => document.querySelector('.edit-bar')?.ariaBusy === 'false')
  await isOpen(page)
}

/** Does gestures while every answer is late by up to some milliseconds; each may write only what was meant for its element. */
export const expectNoStrays = async (browser: Browser, count: number, most: number): Promise<void> => {
  const composition = lateComposition()
  const { page, folder } = await openPreviewPage(browser, { 'index.html': composition })
  await page.setViewport({ width: 1900, height: 1250 })
  await page.waitForSelector('.clip:not(.fixed)')
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  // Without snapping, a distance is written as it was dragged.
  await page.keyboard.press('n')
  const calls = listCalls(page)
  await delayAnswers(page, 56, most)
  const intents = createIntents()
  const hasHappened = (kind: string) => calls.some(({ operations }) => operations.some(({ op }) => op === kind))
  for (let first = 0; ; first += BATCH) {
    await doLateGestures(page, { seed: 56, first, count: BATCH, intents })
    await rests(page)
    if (first + BATCH >= count && (KINDS.every(hasHappened) || first + BATCH >= MAX_TIMES * count)) break
    if (await page.$('.edit-bar button:not([disabled])::-p-text(Discard)')) await click(page, 'Discard', 'button')
    await rests(page)
  }
  // A text field that comes late has the keys to itself until it is left.
  const writesAll = async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.down('Control')
    await page.keyboard.press('s')
    await page.keyboard.up('Control')
    await rests(page)
    return textOf(page, '.staged')
  }
  await expect.poll(writesAll).toBe('No changes')
  const { strays, text } = await findStrays(folder, calls, intents)
  const operations = calls.flatMap((call) => call.operations)
  expect(strays).toEqual([])
  expect(errors).toEqual([])
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe(text)
  expect(operations.map(({ op }) => op)).toEqual(expect.arrayContaining([...KINDS]))
}
