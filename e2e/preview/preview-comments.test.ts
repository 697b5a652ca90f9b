// Comments of a person in the page of a preview, and an assistant that reads them through the client of the protocol's own SDK.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import axe from 'axe-core'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { startBrowser } from '../support/player-site.ts'
import { click, named, openPreviewPage, showsColour, showsFrame, showsText } from '../support/preview-page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const COMMAND = fileURLToPath(new URL('../../packages/engine/cli/bin/vid.js', import.meta.url))

const PAGE = `<!doctype html>
<body style="margin:0;background:#fff">
<div data-composition-id="film" data-width="320" data-height="180" data-duration="2">
  <p id="one" data-start="0" data-duration="2" data-track-index="0" style="position:absolute;left:0;top:0;margin:0;width:80px;height:80px;background:#ff0000"></p>
  <h1 data-start="0" data-duration="2" data-track-index="1" style="position:absolute;left:120px;top:20px;margin:0;color:#111;font:40px Inter">Hello</h1>
</div>
</body>
`

const RED = [255, 0, 0]
const GREEN = [0, 255, 0]

const openAssistant = async (folder: string, name: string) => {
  const client = new Client({ name, version: '1' })
  const transport = new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp'], cwd: folder })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return async (tool: string, args: Record<string, unknown> = {}) => {
    const answer = (await client.callTool({ name: tool, arguments: args }, undefined, {
      timeout: 300_000,
    })) as CallToolResult
    const [content] = answer.content
    return {
      text: content?.type === 'text' ? content.text : '',
      data: answer.structuredContent as Record<string, unknown> | undefined,
      code: answer._meta?.code,
    }
  }
}

const hasChanges = (page: Page, text: string) =>
  page.waitForFunction((text) => document.querySelector('.staged')?.textContent === text, {}, text)

const hasNoFindingsOfAxe = async (page: Page, state: string) => {
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { iframes: false })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
  expect(violations, state).toEqual([])
}

/** Opens a composition, selects a clip at its second frame, and writes a comment on it by keys alone. */
const openWithComment = async () => {
  const opened = await openPreviewPage(browser, { 'index.html': PAGE })
  const { page } = opened
  await (await page.waitForSelector('.clip[aria-label^="one, "]:not(.fixed)'))?.click()
  await page.keyboard.press('ArrowRight')
  await showsFrame(page, 1)
  await page.keyboard.press('c')
  await page.waitForSelector('textarea:focus')
  // What the comment is about is shown once the source of the selected element is read.
  await page.waitForSelector('.comment-form input[type="checkbox"]')
  await page.keyboard.type('Green, please')
  await page.keyboard.down('Control')
  await page.keyboard.press('Enter')
  await page.keyboard.up('Control')
  await page.waitForSelector('.card.comment')
  return { ...opened, source: () => readFile(join(opened.folder, 'index.html'), 'utf8') }
}

test('an assistant reads a comment with what is selected, stages an edit and answers, and the person writes it', async () => {
  const { page, folder, source } = await openWithComment()
  const call = await openAssistant(folder, 'helper')
  // The page reports its selection by itself.
  const seen = () => call('preview').then(({ text }) => text)
  await expect.poll(seen, { timeout: 60_000 }).toContain('selected: <p id="one"> index.html:4')
  const { text, data } = await call('preview')
  expect(text).toMatch(/^1 comment\nthe preview shows index\.html at 0\.0333\d* s \(frame 1\)\n/)
  expect(data?.comments).toMatchObject([
    { id: 1, text: 'Green, please', who: { kind: 'person' }, place: { target: 'index.html#one' } },
  ])
  const operations = [{ op: 'style', target: 'index.html#one', property: 'background', value: '#00ff00' }]
  expect((await call('edit', { operations })).text).toContain('staged in the open preview')
  await call('comment_answer', { id: '1', text: 'It is green now', resolve: true })
  await hasChanges(page, '1 change')
  await showsColour(page, 40, 40, GREEN)
  expect(await source()).toBe(PAGE)
  // The assistant sees what its edit did before anybody has written it.
  const diff = await call('diff', { before: '.', after: '.' })
  expect(diff.text).toContain('looked at as staged in the open preview')
  expect(diff.data).toMatchObject({ state: 'staged', differing: 60, intervals: [{ elements: ['#one'] }] })
  expect((await call('diff', { before: '.', after: '.', state: 'files' })).data).toMatchObject({ differing: 0 })
  expect((await call('sheet', { frames: 1, width: 400 })).data).toMatchObject({ state: 'staged' })
  await (await page.waitForSelector('.panel details summary'))?.click()
  await showsText(page, 'It is green now')
  await hasNoFindingsOfAxe(page, 'a comment that is done')
  await click(page, 'Changes', 'tab')
  await showsText(page, 'helper')
  await hasNoFindingsOfAxe(page, 'a change of an assistant')
  await click(page, 'Write', 'button')
  await hasChanges(page, 'No changes')
  expect(await source()).toContain('background:#00ff00')
  expect((await call('edit_log')).text).toContain('assistant helper')
})

longTest('the person drops an edit of one assistant, and keeps that of another', async () => {
  const { page, folder, source } = await openWithComment()
  const first = await openAssistant(folder, 'first')
  const second = await openAssistant(folder, 'second')
  const style = (property: string, value: string) => ({
    operations: [{ op: 'style', target: '#one', property, value }],
  })
  await first('edit', style('background', '#00ff00'))
  await second('edit', style('width', '90px'))
  await hasChanges(page, '2 changes')
  // Each takes back what it has staged itself.
  expect((await first('edit_undo')).code).toBe('VID_PREVIEW_OTHERS')
  await click(page, 'Changes', 'tab')
  await click(page, 'Drop change 1', 'button')
  await hasChanges(page, '1 change')
  await showsColour(page, 40, 40, RED)
  expect((await first('preview')).text).toMatch(/staged by second: /)
  await click(page, 'Write', 'button')
  await hasChanges(page, 'No changes')
  expect(await source()).toBe(PAGE.replace('width:80px', 'width:90px'))
})

longTest(
  'comments are marked on the timeline, lead to their time and element, and stay when the element is gone',
  async () => {
    const { page } = await openWithComment()
    // Leaves the field, so that keys are for the picture again.
    await page.keyboard.press('Escape')
    await hasNoFindingsOfAxe(page, 'an open comment')
    await page.keyboard.press('Home')
    await showsFrame(page, 0)
    await (await page.waitForSelector('.stretch.comment[aria-label^="Comment at 00:00.033: Green"]'))?.click()
    await showsFrame(page, 1)
    await page.waitForSelector('.clip[aria-label^="one, "][aria-pressed="true"]')
    await page.waitForSelector('.card.comment[aria-current="true"]')
    await (await named(page, 'Answer to comment 1', 'textbox'))?.click()
    await page.keyboard.type('As in the logo')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('.comment-text').length === 2)
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press('Delete')
    await hasChanges(page, '1 change')
    await showsText(page, 'is gone; the comment stays at its time')
    await click(page, 'Done: comment 1', 'button')
    await page.waitForSelector('.stretch.comment', { hidden: true })
  },
)

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
