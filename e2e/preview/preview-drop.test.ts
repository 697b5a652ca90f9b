import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { startBrowser } from '../support/player-site.ts'
import { click, named, openPreviewPage, showsColour, showsText, textOf, type } from '../support/preview-page.ts'
import { makeSources } from '../support/sources.ts'
import { scratch } from '../support/vid.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const PAGE = `<!doctype html>
<body style="margin:0">
  <div data-composition-id="film" data-width="320" data-height="180" data-duration="8">
    <p id="one" data-start="0" data-duration="2" data-track-index="1">one</p>
    <p id="two" data-start="5" data-duration="2" data-track-index="2">two</p>
  </div>
</body>
`

const RED = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><rect width="16" height="9" fill="#f00"/></svg>'

/** The colour of the third second of `h264.mp4`, as it is decoded. */
const DECODED_BLUE = [49, 80, 207]

interface Point {
  readonly x: number
  readonly y: number
}

/** What a desktop does with files over a page. */
const dragFiles = async (page: Page, files: readonly string[]) => {
  const session = await page.createCDPSession()
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  const send = (type: 'dragEnter' | 'dragOver' | 'drop', { x, y }: Point) =>
    session.send('Input.dispatchDragEvent', { type, x, y, data })
  return {
    over: async (point: Point) => {
      await send('dragEnter', point)
      await send('dragOver', point)
    },
    drop: (point: Point) => send('drop', point),
  }
}

const openComposition = async () => {
  const { page, folder } = await openPreviewPage(browser, { 'index.html': PAGE })
  await page.waitForSelector('.clip:not(.fixed)')
  const boxOf = async (selector: string) => {
    const box = await (await page.waitForSelector(selector))?.boundingBox()
    if (!box) throw new Error(`there is no ${selector}`)
    return box
  }
  const one = await boxOf('.clip[aria-label^="one, "]')
  const perSecond = (one.width + 1) / 2
  return {
    page,
    folder,
    boxOf,
    /** The point of a time on the row of a clip. */
    at: async (seconds: number, row: string): Promise<Point> => {
      const { y, height } = await boxOf(`.clip[aria-label^="${row}, "]`)
      return { x: one.x + seconds * perSecond, y: y + height / 2 }
    },
    source: () => readFile(join(folder, 'index.html'), 'utf8'),
  }
}

test('files from the desktop become clips where they are dropped on the timeline, and leave no trace where they are not', async () => {
  const desktop = await scratch()
  await makeSources(desktop, ['h264.mp4'])
  await writeFile(join(desktop, 'Red one.svg'), RED)
  const { page, folder, at, boxOf, source } = await openComposition()
  const files = [join(desktop, 'Red one.svg'), join(desktop, 'h264.mp4')]
  const drag = await dragFiles(page, files)
  await drag.over(await at(2.51, 'one'))
  await expect.poll(() => textOf(page, '.drag-time')).toBe('00:02.500 · track 1')
  // Escape is the desktop's while files are dragged: the page sees them leave.
  const side = await boxOf('.side')
  await drag.over({ x: side.x + side.width / 2, y: side.y + side.height - 5 })
  await page.waitForSelector('.drag-time', { hidden: true })
  await drag.over(await at(2.51, 'one'))
  await drag.drop(await at(2.51, 'one'))
  await named(page, 'red-one, element, 00:02.500 to 00:05.500')
  await named(page, 'h264, video, 00:05.500 to 00:08.000')
  await showsText(page, '2 clips were inserted.')
  expect(await source()).toBe(PAGE)
  expect(await readdir(folder)).not.toContain('assets')
  await click(page, 'Write', 'button')
  await showsText(page, 'Written.')
  expect((await readdir(join(folder, 'assets'))).sort()).toEqual(['Red one.svg', 'h264.mp4'])
  expect(await readFile(join(folder, 'assets/h264.mp4'))).toEqual(await readFile(join(desktop, 'h264.mp4')))
  expect(await source()).toMatch(
    /<img id="red-one" src="assets\/Red%20one\.svg" data-start="2\.5" data-duration="3" data-track-index="1"/,
  )
  expect(await source()).toMatch(
    /<video id="h264" src="assets\/h264\.mp4" data-start="5\.5" data-duration="2\.5" data-track-index="1"/,
  )
})

longTest('a video that was dropped is split, and its second part goes on where the first one ends', async () => {
  const desktop = await scratch()
  await makeSources(desktop, ['h264.mp4'])
  const { page, at, source } = await openComposition()
  const drag = await dragFiles(page, [join(desktop, 'h264.mp4')])
  await drag.over(await at(2.01, 'one'))
  await drag.drop(await at(2.01, 'one'))
  await showsText(page, 'h264.mp4 was inserted.')
  await named(page, 'h264, video, 00:02.000 to 00:06.000')
  await type(page, 'Frame', '135')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await showsColour(page, 300, 170, DECODED_BLUE)
  await (await page.waitForSelector('.clip[aria-label^="h264, "]'))?.click()
  await click(page, 'Split at the playhead', 'button')
  await named(page, 'h264, video, 00:02.000 to 00:04.500')
  await page.waitForSelector('.clip[aria-label*=", video, 00:04.500 to 00:06.000"]')
  await showsColour(page, 300, 170, DECODED_BLUE)
  await click(page, 'Write', 'button')
  await showsText(page, 'Written.')
  expect(await source()).toMatch(/<video id="h264" [^>]*data-start="2" data-duration="2\.5"/)
  expect(await source()).toMatch(/<video [^>]*data-start="4\.5" data-duration="1\.5" [^>]*data-media-start="2\.5"/)
})

longTest(
  'a file that is dropped on the picture is shown from the frame on, and one that the project has is not copied',
  async () => {
    const desktop = await scratch()
    await writeFile(join(desktop, 'red.svg'), RED)
    const { page, folder, boxOf, source } = await openComposition()
    await mkdir(join(folder, 'art'))
    await writeFile(join(folder, 'art/painted.svg'), RED)
    const picture = await boxOf('.picture')
    const middle = { x: picture.x + picture.width / 2, y: picture.y + picture.height / 2 }
    const drag = await dragFiles(page, [join(desktop, 'red.svg')])
    await drag.over(middle)
    await drag.drop(middle)
    await showsText(page, 'red.svg was inserted.')
    await showsColour(page, 160, 90, [255, 0, 0])
    await page.waitForSelector('.clip[aria-label*=", 00:00.000 to 00:03.000"][aria-pressed="true"]')
    await click(page, 'Write', 'button')
    await showsText(page, 'Written.')
    expect(await source()).toContain('src="art/painted.svg"')
    expect(await readdir(folder)).not.toContain('assets')
  },
)

longTest('a file that is chosen by the button is inserted at the shown frame', async () => {
  const desktop = await scratch()
  await writeFile(join(desktop, 'red.svg'), RED)
  const { page } = await openComposition()
  const field = await page.waitForSelector('.clip-tools input[type="file"]')
  await (field as ElementHandle<HTMLInputElement>).uploadFile(join(desktop, 'red.svg'))
  await showsText(page, 'red.svg was inserted.')
  await showsColour(page, 160, 90, [255, 0, 0])
  await page.waitForSelector('.clip[aria-label*=", 00:00.000 to 00:03.000"][aria-pressed="true"]')
})

test('a file of another kind, and one over a part that takes none, change nothing, and the page stays', async () => {
  const desktop = await scratch()
  await writeFile(join(desktop, 'notes.txt'), 'x')
  const { page, at, boxOf } = await openComposition()
  const drag = await dragFiles(page, [join(desktop, 'notes.txt')])
  await drag.over(await at(3, 'one'))
  await drag.drop(await at(3, 'one'))
  await showsText(page, '"notes.txt" is not a video, a sound or a picture.')
  const side = await boxOf('.side')
  const beside = { x: side.x + side.width / 2, y: side.y + side.height - 5 }
  await drag.over(beside)
  await drag.drop(beside)
  expect(await page.$eval('.staged', (text) => text.textContent)).toBe('No changes')
})

test('Escape ends the sending of a file, and nothing is inserted', async () => {
  const desktop = await scratch()
  await writeFile(join(desktop, 'red.svg'), RED)
  const { page, at } = await openComposition()
  // The reply waits until the key was pressed.
  await page.setRequestInterception(true)
  const upload = new Promise<void>((resolve) => {
    page.on('request', (request) => {
      if (request.url().includes('/api/edit/upload')) resolve()
      else void request.continue()
    })
  })
  const drag = await dragFiles(page, [join(desktop, 'red.svg')])
  await drag.over(await at(3, 'one'))
  await drag.drop(await at(3, 'one'))
  await upload
  await showsText(page, 'Sending red.svg. Escape ends it.')
  await page.keyboard.press('Escape')
  await showsText(page, 'Nothing was inserted.')
  expect(await page.$eval('.staged', (text) => text.textContent)).toBe('No changes')
})
