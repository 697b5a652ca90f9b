import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { delayAnswers, holdAnswers } from '../support/late-answers.ts'
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
  type,
} from '../support/preview-page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const box = (colour: string, left: number) =>
  `style="position:absolute;left:${left}px;top:0;width:80px;height:80px;background:${colour}"`

const PAGE = `<!doctype html>
<body style="margin:0">
<div data-composition-id="film" data-width="320" data-height="180" data-duration="4">
  <p id="one" data-start="0" data-duration="1" data-track-index="0" ${box('#ff0000', 0)}></p>
  <p id="two" data-start="2" data-duration="1" data-track-index="1" ${box('#00ff00', 100)}></p>
  <p data-start="1" data-duration="1.5" data-track-index="2" ${box('#0000ff', 200)}></p>
</div>
<script>
  const element = document.createElement('p')
  element.id = 'made'
  Object.assign(element.dataset, { start: '3', duration: '1', trackIndex: '3' })
  document.querySelector('[data-composition-id]').append(element)
</script>
</body>
`

const RED = [255, 0, 0]
const WHITE = [255, 255, 255]

/** Opens a composition whose clips can be changed, with what the tests ask of its page. */
const openComposition = async (composition = PAGE) => {
  const { page, folder, preview } = await openPreviewPage(browser, { 'index.html': composition })
  await page.waitForSelector('.clip:not(.fixed)')
  const file = join(folder, 'index.html')
  const clip = async (name: string) => {
    const element = await page.waitForSelector(`.clip[aria-label^="${name}, "]`)
    const area = await element?.boundingBox()
    if (!area) throw new Error(`there is no clip ${name}`)
    return { ...area, middle: area.x + area.width / 2, y: area.y + area.height / 2 }
  }
  return {
    page,
    preview,
    file,
    clip,
    perSecond: (await clip('one')).width + 1,
    source: () => readFile(file, 'utf8'),
    /** Waits until a clip lies between two times. */
    lies: (name: string, start: string, end: string) => named(page, `${name}, element, 00:0${start} to 00:0${end}`),
  }
}

const hasChanges = (page: Page, text: string) =>
  page.waitForFunction((text) => document.querySelector('.staged')?.textContent === text, {}, text)

const select = async (page: Page, name: string) =>
  (await page.waitForSelector(`.clip[aria-label^="${name}, "]`))?.click()

const goTo = async (page: Page, frame: number) => {
  await type(page, 'Frame', String(frame))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await showsFrame(page, frame)
}

const control = async (page: Page, key: 'a' | 's' | 'z' | 'y') => {
  await page.keyboard.down('Control')
  await page.keyboard.press(key)
  await page.keyboard.up('Control')
}

test('a clip that is dragged shows its time, moves in the picture, and in the file once it is written', async () => {
  const { page, clip, perSecond, source, lies } = await openComposition()
  await showsColour(page, 40, 40, RED)
  const { middle, y } = await clip('one')
  await page.mouse.move(middle, y)
  await page.mouse.down()
  await page.mouse.move(middle + 0.4 * perSecond, y, { steps: 4 })
  await expect.poll(() => textOf(page, '.drag-time')).toBe('00:00.400 +00:00.400')
  await page.mouse.up()
  await hasChanges(page, '1 change')
  await lies('one', '0.400', '1.400')
  await showsColour(page, 40, 40, WHITE)
  expect(await source()).toBe(PAGE)
  await click(page, 'Write', 'button')
  await hasChanges(page, 'No changes')
  expect(await source()).toBe(PAGE.replace('id="one" data-start="0"', 'id="one" data-start="0.4"'))
  await control(page, 'z')
  await showsText(page, 'The last written change was undone.')
  expect(await source()).toBe(PAGE)
  await showsColour(page, 40, 40, RED)
})

test('Escape ends a gesture without a change, and a click after it selects nothing', async () => {
  const { page, clip, perSecond, lies } = await openComposition()
  const { middle, y } = await clip('two')
  await page.mouse.move(middle, y)
  await page.mouse.down()
  await page.mouse.move(middle + perSecond / 2, y, { steps: 3 })
  await page.waitForSelector('.drag-time')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.drag-time', { hidden: true })
  await page.mouse.up()
  await lies('two', '2.000', '3.000')
  await hasChanges(page, 'No changes')
})

test('edges are trimmed by dragging them, and snap to another clip', async () => {
  const { page, clip, perSecond, lies } = await openComposition()
  const one = await clip('one')
  await page.mouse.move(one.x + one.width - 2, one.y)
  await page.mouse.down()
  await page.mouse.move(one.x + one.width + 0.98 * perSecond, one.y, { steps: 4 })
  await expect.poll(() => textOf(page, '.drag-time')).toContain('long · clip')
  await page.waitForSelector('.snap-line')
  await page.mouse.up()
  await lies('one', '0.000', '2.000')
  const two = await clip('two')
  await page.mouse.move(two.x + 2, two.y)
  await page.mouse.down()
  await page.mouse.move(two.x + 2 + 0.4 * perSecond, two.y, { steps: 4 })
  await page.mouse.up()
  await lies('two', '2.400', '3.000')
  await hasChanges(page, '2 changes')
})

test('several clips move together, also one without an id, and are taken back together', async () => {
  const { page, clip, perSecond, lies } = await openComposition()
  await select(page, 'two')
  await page.keyboard.down('Shift')
  await select(page, 'p')
  await page.keyboard.up('Shift')
  await showsText(page, 'and 1 more')
  const { middle, y } = await clip('two')
  await page.mouse.move(middle, y)
  await page.mouse.down()
  await page.mouse.move(middle + 0.3 * perSecond, y, { steps: 4 })
  await page.mouse.up()
  await lies('two', '2.300', '3.300')
  await lies('p', '1.300', '2.800')
  await hasChanges(page, '1 change')
  await click(page, 'Undo', 'button')
  await lies('two', '2.000', '3.000')
  await lies('p', '1.000', '2.500')
  await hasChanges(page, 'No changes')
})

test('a finger drags a clip', async () => {
  const { page, clip, perSecond, lies } = await openComposition()
  const { middle, y } = await clip('two')
  await page.touchscreen.touchStart(middle, y)
  for (const part of [0.1, 0.2, 0.4]) await page.touchscreen.touchMove(middle + part * perSecond, y)
  await page.touchscreen.touchEnd()
  await lies('two', '2.400', '3.400')
  await hasChanges(page, '1 change')
})

test('everything can be done by keys alone', async () => {
  const { page, source, lies } = await openComposition()
  await page.waitForSelector('.clip[aria-label^="two, "]')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await page.keyboard.press('Home')
  await page.keyboard.press('t')
  await expect.poll(focused).toMatch(/^one, /)
  await page.keyboard.press('Tab')
  expect(await focused()).toMatch(/^two, /)
  await page.keyboard.press('Enter')
  await page.keyboard.press('.')
  await lies('two', '2.033', '3.033')
  await page.keyboard.press(',')
  await lies('two', '2.000', '3.000')
  await goTo(page, 75)
  await page.keyboard.press('s')
  await hasChanges(page, '3 changes')
  await lies('two', '2.000', '2.500')
  await control(page, 'z')
  await hasChanges(page, '2 changes')
  await page.keyboard.press(']')
  await lies('two', '2.000', '2.500')
  await page.keyboard.press('>')
  await lies('two', '3.000', '3.500')
  await page.keyboard.press('d')
  await hasChanges(page, '5 changes')
  await page.keyboard.press('Delete')
  await hasChanges(page, '6 changes')
  await page.waitForSelector('.clip[aria-label^="two, "]', { hidden: true })
  await control(page, 's')
  await hasChanges(page, 'No changes')
  const text = await source()
  expect(text).not.toContain('id="two"')
  expect(text).toContain('data-start="3.5" data-duration="0.5"')
  expect(text).toContain('id="one" data-start="0" data-duration="1"')
})

test('the only clip under the playhead is split without a selection, and otherwise the page says what to do', async () => {
  const { page, lies } = await openComposition()
  await goTo(page, 15)
  await click(page, 'Split at the playhead', 'button')
  await hasChanges(page, '1 change')
  await lies('one', '0.000', '0.500')
  await goTo(page, 66)
  await click(page, 'Split at the playhead', 'button')
  await showsText(page, '2 clips are under the playhead. Select the one to split.')
  await select(page, 'one')
  await click(page, 'Split at the playhead', 'button')
  await showsText(page, 'The playhead, at 00:02.200, is not inside the selected clip.')
  await hasChanges(page, '1 change')
})

test('the file is changed by another program in the middle of a drag', async () => {
  const { page, file, clip, perSecond, source, lies } = await openComposition()
  const { middle, y } = await clip('two')
  await page.mouse.move(middle, y)
  await page.mouse.down()
  await page.mouse.move(middle + 0.2 * perSecond, y, { steps: 2 })
  await writeFile(file, `<!-- above -->\n${PAGE.replace('#ff0000', '#00ffff')}`)
  await showsColour(page, 40, 40, [0, 255, 255])
  await page.mouse.move(middle + 0.4 * perSecond, y, { steps: 2 })
  await page.mouse.up()
  await lies('two', '2.400', '3.400')
  await click(page, 'Write', 'button')
  await hasChanges(page, 'No changes')
  expect(await source()).toBe(
    `<!-- above -->\n${PAGE.replace('#ff0000', '#00ffff').replace('data-start="2"', 'data-start="2.4"')}`,
  )
})

test.each([
  ['Keep mine', '0.400', '1 change'],
  ['Drop mine', '0.500', 'No changes'],
])('a conflict with another program is shown, and solved by “%s”', async (choice, start, changes) => {
  const { page, file, clip, perSecond, lies } = await openComposition()
  const { middle, y } = await clip('one')
  await page.mouse.move(middle, y)
  await page.mouse.down()
  await page.mouse.move(middle + 0.4 * perSecond, y, { steps: 2 })
  await page.mouse.up()
  await hasChanges(page, '1 change')
  await writeFile(file, PAGE.replace('id="one" data-start="0"', 'id="one" data-start="0.5"'))
  await showsText(page, 'Another program has changed the same lines')
  await hasChanges(page, 'Conflict')
  await click(page, choice, 'button')
  await hasChanges(page, changes)
  await lies('one', start, start === '0.400' ? '1.400' : '1.500')
})

test('the inspector shows what the source holds, changes it, and says why it cannot', async () => {
  const { page } = await openComposition()
  await select(page, 'one')
  await click(page, 'Element', 'tab')
  await named(page, 'Open index.html:4 in true')
  await type(page, 'Fill', '#ff00ff')
  await page.keyboard.press('Enter')
  await showsColour(page, 40, 40, [255, 0, 255])
  await type(page, 'Left', '100')
  await page.keyboard.press('Enter')
  await hasChanges(page, '2 changes')
  await showsColour(page, 140, 40, [255, 0, 255])
  await type(page, 'Start', 'soon')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.source-field [aria-invalid="true"]')
  await page.keyboard.press('Escape')
  await select(page, 'made')
  await showsText(page, 'made is made by a script')
})

/** A point of the picture on the screen. */
const onPicture = async (page: Page, x: number, y: number) => {
  const area = await (await page.$('.picture'))?.boundingBox()
  if (!area) throw new Error('there is no picture')
  return { x: area.x + (x * area.width) / 320, y: area.y + (y * area.width) / 320 }
}

/** Drags from a point of the picture to another one. */
const dragOnPicture = async (page: Page, from: readonly [number, number], to: readonly [number, number]) => {
  const start = await onPicture(page, ...from)
  const end = await onPicture(page, ...to)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 5 })
  return { release: () => page.mouse.up() }
}

test('an element is selected, moved and resized on the picture, and Escape leaves it where it was', async () => {
  const { page, source } = await openComposition()
  const { x, y } = await onPicture(page, 40, 40)
  await page.mouse.click(x, y)
  await page.waitForSelector('.selected-box')
  await page.waitForSelector('.clip[aria-label^="one, "][aria-pressed="true"]')
  const first = await dragOnPicture(page, [40, 40], [120, 60])
  await showsColour(page, 150, 60, RED)
  await page.keyboard.press('Escape')
  await first.release()
  await showsColour(page, 10, 40, RED)
  await hasChanges(page, 'No changes')
  // Near the middle of the picture, it is put there.
  const second = await dragOnPicture(page, [40, 40], [159, 60])
  await page.waitForSelector('.align-line')
  await expect.poll(() => textOf(page, '.place-label')).toMatch(/^120, /)
  await second.release()
  await hasChanges(page, '1 change')
  await isOpen(page)
  await page.waitForSelector('.selected-box')
  await showsColour(page, 130, 60, RED)
  const corner = await (await page.$('.handle:last-of-type'))?.boundingBox()
  if (!corner) throw new Error('there is no handle')
  await page.mouse.move(corner.x + 4, corner.y + 4)
  await page.mouse.down()
  await page.mouse.move(corner.x + 64, corner.y + 24, { steps: 5 })
  await page.mouse.up()
  await hasChanges(page, '2 changes')
  await showsColour(page, 205, 60, RED)
  await control(page, 's')
  await hasChanges(page, 'No changes')
  expect(await source()).toMatch(/id="one"[^>]* style="position:absolute;left:120px;top:20px;width:\d+px;height:\d+px;/)
})

test('an element that is dragged before its source is read follows the pointer once it is, also where that rests', async () => {
  const { page } = await openComposition()
  const letGo = await holdAnswers(page, 'inspect')
  const { x, y } = await onPicture(page, 40, 40)
  await page.mouse.click(x, y)
  await page.waitForSelector('.selected-box')
  const drag = await dragOnPicture(page, [40, 40], [120, 60])
  await page.waitForSelector('.place-label')
  await letGo()
  await showsColour(page, 150, 60, RED)
  await page.keyboard.press('Escape')
  await drag.release()
  await showsColour(page, 10, 40, RED)
})

test('a text is written on the picture', async () => {
  const composition = PAGE.replace(
    '</div>',
    '<h1 id="title" style="position:absolute;left:20px;top:100px;margin:0">Hello</h1></div>',
  )
  const { page, source } = await openComposition(composition)
  const { x, y } = await onPicture(page, 40, 115)
  await page.mouse.click(x, y)
  await page.waitForSelector('.selected-box')
  await page.mouse.click(x, y, { count: 2 })
  await page.waitForSelector('.text-in-place')
  await page.keyboard.type('Good day')
  await page.keyboard.press('Enter')
  await hasChanges(page, '1 change')
  await control(page, 's')
  await hasChanges(page, 'No changes')
  expect(await source()).toBe(composition.replace('Hello', 'Good day'))
})

test('the first double click edits a text, and what is typed before its field is there changes nothing', async () => {
  const composition = PAGE.replace(
    '</div>',
    '<h1 style="position:absolute;left:20px;top:100px;margin:0">Hello</h1></div>',
  )
  const { page, source } = await openComposition(composition)
  await delayAnswers(page, 7, 600)
  await select(page, 'two')
  const { x, y } = await onPicture(page, 40, 115)
  await page.mouse.click(x, y, { count: 2 })
  // Each of these keys would do something.
  await page.keyboard.type('.,<>[]sd')
  await page.waitForSelector('.text-in-place')
  await page.keyboard.type('New title')
  await page.keyboard.press('Enter')
  await hasChanges(page, '1 change')
  await control(page, 's')
  await hasChanges(page, 'No changes')
  expect(await source()).toMatch(/>[.,<>[\]sdgtl&;]*New title<\/h1>/)
  expect((await source()).replace(/>[^>]*New title</, '>Hello<')).toBe(composition)
})

test('keys that change clips ask for a selection, and say what they did, to be taken back', async () => {
  const { page, lies } = await openComposition()
  for (const key of ['.', '<', 'd', 's', '[', 'Delete'] as const) {
    await page.keyboard.press('Escape')
    await page.keyboard.press(key)
    await showsText(page, 'Select a clip on the timeline first.')
  }
  await hasChanges(page, 'No changes')
  await select(page, 'two')
  await page.keyboard.press('.')
  await showsText(page, 'two was moved 1 frame forward.')
  await lies('two', '2.033', '3.033')
  await click(page, 'Undo what was just done', 'button')
  await hasChanges(page, 'No changes')
  await lies('two', '2.000', '3.000')
  await page.waitForSelector('[aria-label="Undo what was just done"]', { hidden: true })
})

test('the value of a variable is kept as its default', async () => {
  const { page, folder } = await openPreviewPage(browser)
  await type(page, 'Back', '#106010')
  await page.keyboard.press('Enter')
  await showsColour(page, 300, 100, [0x10, 0x60, 0x10])
  await click(page, 'Keep Back as default', 'button')
  await hasChanges(page, '1 change')
  await page.waitForSelector('[aria-label="Reset Back"]', { hidden: true })
  await showsColour(page, 300, 100, [0x10, 0x60, 0x10])
  await click(page, 'Write', 'button')
  await hasChanges(page, 'No changes')
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('"label":"Back","default":"#106010"')
})

test('neither the composition nor another page can stage or write', async () => {
  const hostile = PAGE.replace(
    '</body>',
    `<script>
  const body = JSON.stringify({ entry: 'index.html', operations: [{ op: 'remove', target: '#one' }] })
  const api = 'http://127.0.0.1:' + (Number(location.port) - 1)
  for (const base of [api, location.origin])
    for (const [path, text] of [['stage', body], ['write', JSON.stringify({ entry: 'index.html' })]])
      for (const mode of ['cors', 'no-cors'])
        fetch(base + '/api/edit/' + path, { method: 'POST', mode, credentials: 'include', headers: { 'content-type': mode === 'cors' ? 'application/json' : 'text/plain' }, body: text }).catch(() => {})
  parent.postMessage({ type: 'stage', operations: [{ op: 'remove', target: '#one' }] }, '*')
</script></body>`,
  )
  const { page, preview, source, lies } = await openComposition(hostile)
  const server = createServer((_, response) => response.end('<!doctype html><title>other</title>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const other = await page.browserContext().newPage()
  other.setDefaultTimeout(BROWSER_PATIENCE_MS)
  onTestFinished(() => other.close())
  // Of the same host, so that the browser sends it the cookie of the preview.
  await other.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const statuses = await other.evaluate(async (origin) => {
    const send = async (path: string, body: object, type: string) => {
      const options = { method: 'POST', credentials: 'include', headers: { 'content-type': type } } as const
      const reply = await fetch(`${origin}/api/edit/${path}`, { ...options, body: JSON.stringify(body) }).catch(
        () => null,
      )
      return reply?.status ?? 'refused'
    }
    const operations = [{ op: 'remove', target: '#one' }]
    return [
      await send('stage', { entry: 'index.html', operations }, 'application/json'),
      await send('stage', { entry: 'index.html', operations }, 'text/plain'),
      await send('write', { entry: 'index.html' }, 'text/plain'),
    ]
  }, new URL(preview.url).origin)
  expect(statuses).toEqual(['refused', 'refused', 'refused'])
  // What the page itself does is answered after all that came before it.
  await select(page, 'two')
  await page.keyboard.press('.')
  await lies('two', '2.033', '3.033')
  await hasChanges(page, '1 change')
  expect(await source()).toBe(hostile)
})

test('has no accessibility finding while it edits, dark and light', async () => {
  const { page, file } = await openComposition()
  await page.evaluate(axe.source)
  const check = async (state: string) => {
    for (const value of ['dark', 'light']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
      const findings = await page.evaluate(async () => {
        const { violations } = await window.axe.run(document, { iframes: false })
        return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      })
      expect(findings, `${state}, ${value}`).toEqual([])
    }
  }
  await select(page, 'one')
  await click(page, 'Element', 'tab')
  await named(page, 'Fill', 'textbox')
  await check('element')
  await page.keyboard.press('>')
  await hasChanges(page, '1 change')
  await isOpen(page)
  await click(page, 'Changes', 'tab')
  await page.waitForSelector('.diff')
  await check('changes')
  await writeFile(file, PAGE.replace('id="one" data-start="0"', 'id="one" data-start="0.5"'))
  await showsText(page, 'Another program has changed the same lines')
  await check('conflict')
})

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
