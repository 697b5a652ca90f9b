import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodePng } from '@vid/testkit'
import axe from 'axe-core'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { startBrowser } from '../support/player-site.ts'
import {
  click,
  colourAt,
  hidesText,
  isOpen,
  named,
  openPreviewPage,
  pngOfPicture,
  showsColour,
  showsFrame,
  showsText,
  type,
} from '../support/preview-page.ts'
import { makePreviewProject } from '../support/preview-project.ts'
import { scratch } from '../support/vid.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const open = (...options: Parameters<typeof openPreviewPage> extends [unknown, ...infer Rest] ? Rest : never) =>
  openPreviewPage(browser, ...options)

/** Whether a channel is one of the checkerboard's. */
const isGrey = (value: number | undefined): boolean => value === 0x8c || value === 0xb8

test('opens at the first frame at which much is visible, not on an empty one', async () => {
  const { page } = await open(
    {
      'index.html': `<!doctype html><style>
body { margin: 0 } p { opacity: 0; animation: show 1s linear forwards } @keyframes show { to { opacity: 1 } }
p + p { animation-delay: 1s }</style>
<div data-composition-id="late" data-width="320" data-height="180" data-duration="4"><p>One</p><p>Two</p></div>`,
    },
    { atStart: false },
  )
  const frame = await page.$eval('vid-player', (player) => player.frame)
  expect(frame).toBeGreaterThan(30)
  expect(frame).toBeLessThan(60)
  await page.keyboard.press('Home')
  await showsFrame(page, 0)
})

longTest('keeps the time, the range, the panel and the values over a reload', async () => {
  const { page } = await open()
  await type(page, 'Back', '#106010')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await type(page, 'Frame', '70')
  await page.keyboard.press('Enter')
  await showsFrame(page, 70)
  await click(page, 'Begin the range here')
  await click(page, 'Render', 'tab')
  await page.reload()
  await isOpen(page)
  await showsFrame(page, 70)
  await showsText(page, 'Range: frames 70 to 119')
  await named(page, 'Render index.html')
  await showsColour(page, 300, 100, [0x10, 0x60, 0x10])
})

longTest('dragging on the ruler moves the time and selects no text', async () => {
  const { page } = await open()
  const ruler = await (await named(page, 'Position', 'slider'))?.boundingBox()
  if (!ruler) throw new Error('there is no ruler')
  await page.mouse.move(ruler.x + 5, ruler.y + 8)
  await page.mouse.down()
  await page.mouse.move(ruler.x + ruler.width / 2 + 1, ruler.y + 8, { steps: 4 })
  await page.mouse.up()
  await showsFrame(page, 60)
  expect(await page.evaluate(() => String(getSelection()))).toBe('')
  expect(await page.$eval('.mark', (mark) => getComputedStyle(mark).userSelect)).toBe('none')
})

test('shows animations of elements as lanes', async () => {
  const { page } = await open()
  await named(page, 'grow, animation, 00:00.000 to 00:04.000')
  expect(await page.$$eval('.row-label', (labels) => labels.map((label) => label.textContent))).toContain('#bar')
})

const expectFits = async (page: Page, width: number) => {
  await page.setViewport({ width, height: 900 })
  await page.waitForFunction((wide) => (document.querySelector('.stage')?.clientWidth ?? 0) === wide, {}, width)
  await page.waitForFunction((wide) => (document.querySelector('.picture')?.clientWidth ?? 0) > wide * 0.7, {}, width)
  const misplaced = () =>
    page.$$eval(
      '.stage-bar, .stage, .transport, .timeline, .sidebar',
      (elements, width) => {
        const boxes = elements.map((element) => element.getBoundingClientRect())
        const isMisplaced = ({ right, top }: DOMRect, index: number) =>
          right > width || top < (boxes[index - 1]?.bottom ?? 0) - 1
        return { parts: boxes.length, misplaced: boxes.filter(isMisplaced).length }
      },
      width,
    )
  await expect.poll(misplaced, { message: `${width} pixels` }).toEqual({ parts: 5, misplaced: 0 })
}

test('fits windows of 390 and 768 pixels: nothing overlaps or is cut', async () => {
  const { page } = await open()
  for (const width of [390, 768]) await expectFits(page, width)
})

test('resizes and folds the timeline and the panels, and keeps that over a reload', async () => {
  const { page } = await open()
  onTestFinished(() => page.evaluate(() => localStorage.clear()))
  const size = (part: string) =>
    page.$eval(part, (element): { readonly height: number } => element.getBoundingClientRect().toJSON())
  const before = await size('.timeline')
  await (await named(page, 'Size of the timeline', 'separator'))?.focus()
  await page.keyboard.press('ArrowDown')
  await page.waitForFunction(
    (height) => (document.querySelector('.timeline')?.clientHeight ?? 0) < height - 20,
    {},
    before.height,
  )
  await click(page, 'Hide the panels')
  await page.waitForFunction(() => document.querySelector('.sidebar') === null)
  await page.reload()
  await isOpen(page)
  expect(await page.$('.sidebar')).toBeNull()
  await expect.poll(async () => (await size('.timeline')).height).toBeLessThan(before.height - 20)
  await click(page, 'Show the panels')
  await page.waitForSelector('.sidebar')
})

test('says that a composition does not answer, while it loads and while it is sought', async () => {
  const stuck = (script: string) =>
    `<!doctype html><body><div data-composition-id="stuck" data-width="320" data-height="180" data-duration="4"></div><script>${script}</script></body>`
  const files = {
    'loading.html': stuck('__vid.waitUntil(new Promise(() => {}))'),
    'seeking.html': stuck(
      "addEventListener('vid-seek', ({ detail }) => { if (detail.frame === 30) detail.waitUntil(new Promise(() => {})) })",
    ),
  }
  // The ten seconds of the page, shortened.
  const before = () => {
    const { setTimeout: later } = window
    const shortened = (call: TimerHandler, ms = 0) => later(call, ms === 10_000 ? 200 : ms)
    if (window === window.top) Object.assign(window, { setTimeout: shortened })
  }
  const { page } = await open(files, { before })
  await hidesText(page, 'No answer yet')
  await page.select('select', 'loading.html')
  await showsText(page, 'No answer yet: a script may not return')
  await page.select('select', 'seeking.html')
  await page.waitForFunction(() => document.querySelector('vid-player')?.readyState === 4)
  await hidesText(page, 'No answer yet')
  await page.keyboard.down('Shift')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.up('Shift')
  await showsText(page, 'No answer yet: a script may not return')
})

test('finds clips and what they embed in the timeline, and says where they are written', async () => {
  const { page } = await open()
  await click(page, 'Clips of card')
  await click(page, 'offer, element, 00:01.500 to 00:02.500')
  await named(page, 'Open card.html:2 in true')
  const ruler = await (await named(page, 'Position', 'slider'))?.boundingBox()
  if (!ruler) throw new Error('there is no ruler')
  await page.mouse.click(ruler.x + ruler.width / 2 + 1, ruler.y + 4)
  await showsFrame(page, 60)
})

longTest('shows changed variables at once, resets them, and steps through the rows of a batch', async () => {
  const { page, folder } = await open()
  await showsColour(page, 300, 100, [0x20, 0x40, 0xa0])
  await type(page, 'Back', '#106010')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await showsColour(page, 300, 100, [0x10, 0x60, 0x10])
  await click(page, 'Reset Back')
  await showsColour(page, 300, 100, [0x20, 0x40, 0xa0])
  const rows = join(folder, 'rows.json')
  await writeFile(rows, JSON.stringify([{ back: '#ff0000' }, { back: '#00ff00', size: 'large' }]))
  const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('.button.file-button')])
  await chooser.accept([rows])
  await showsColour(page, 300, 100, [255, 0, 0])
  await click(page, 'Row after')
  await showsColour(page, 300, 100, [0, 255, 0])
  await showsText(page, 'Row 2 of 2')
  await page.waitForSelector('.problem.warning')
})

test('keeps the last good picture, the frame and the values over a broken edit', async () => {
  const { page, folder } = await open()
  await type(page, 'Back', '#106010')
  await page.keyboard.press('Enter')
  await type(page, 'Frame', '90')
  await page.keyboard.press('Enter')
  await showsColour(page, 300, 100, [0x10, 0x60, 0x10])
  const file = join(folder, 'index.html')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('data-width="320"', 'data-width="wide"'))
  await page.waitForSelector('.stage-error')
  await click(page, 'Problems 1', 'tab').catch(() => click(page, 'Problems'))
  await showsText(page, 'lint/no-size')
  await showsColour(page, 300, 100, [0x10, 0x60, 0x10])
  await writeFile(file, text.replace('#f80', '#08f'))
  await showsColour(page, 100, 170, [0, 0x88, 255])
  await page.waitForFunction(() => !document.querySelector('.stage-error'))
  await showsFrame(page, 90)
  await showsColour(page, 300, 100, [0x10, 0x60, 0x10])
})

test('shows the captions of a file as they are after a change of that file alone', async () => {
  const { page, folder } = await open({
    'index.html': `<!doctype html><script src="https://cdn.jsdelivr.net/npm/@vid/captions"></script><style>
#root { background: #000 } .vid-captions-cue { min-width: 200px; padding: 20px } vid-captions { --captions-bottom: 0 }
[data-speaker=Ana] { background: #f0f } [data-speaker=Ben] { background: #0ff }</style>
<div id="root" data-composition-id="main" data-width="320" data-height="180" data-duration="4">
<track kind="captions" src="talk.vtt" srclang="en"><vid-captions></vid-captions></div>`,
    'talk.vtt': 'WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ana>First\n',
  })
  const cues = (): Promise<readonly string[]> =>
    page.evaluate(() => {
      const { textTracks = [] } = document.querySelector('vid-player') ?? {}
      return [...textTracks].flatMap((track) => {
        track.mode = 'hidden'
        return [...(track.cues ?? [])].map((cue) => (cue as VTTCue).text)
      })
    })
  await showsColour(page, 160, 170, [255, 0, 255])
  await expect.poll(cues).toEqual(['<v Ana>First'])
  await writeFile(join(folder, 'talk.vtt'), 'WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ben>Second\n')
  await showsColour(page, 160, 170, [0, 255, 255])
  await expect.poll(cues).toEqual(['<v Ben>Second'])
})

longTest(
  'keeps the last good picture when the file, the config or the folder goes wrong, and says what is wrong',
  async () => {
    const config = 'export default { render: { fps: 30 } }'
    const { page, folder } = await open({ 'vid.config.mjs': config })
    const blue = [0x20, 0x40, 0xa0]
    const isRight = async () => {
      await page.waitForFunction(() => !document.querySelector('.stage-error'))
      await showsColour(page, 300, 100, blue)
    }
    const isWrong = async (text: string) => {
      await page.waitForFunction(
        (text) => document.querySelector('.stage-error')?.textContent?.includes(text),
        {},
        text,
      )
      await showsColour(page, 300, 100, blue)
    }
    await isRight()
    const index = join(folder, 'index.html')
    await rename(index, join(folder, 'away.txt'))
    await isWrong('index.html does not exist')
    await rename(join(folder, 'away.txt'), index)
    await isRight()
    await writeFile(join(folder, 'vid.config.mjs'), 'export default {')
    await isWrong('vid.config.mjs')
    await click(page, 'Problems 1', 'tab').catch(() => click(page, 'Problems'))
    await page.waitForSelector('.problem.error')
    await writeFile(join(folder, 'vid.config.mjs'), config)
    await isRight()
    const outside = join(await scratch(), 'outside.html')
    await writeFile(outside, await readFile(index))
    await rm(index)
    await symlink(outside, index)
    await isWrong('outside')
    await rename(folder, `${folder}-away`)
    onTestFinished(() => rm(`${folder}-away`, { recursive: true, force: true }))
    await showsText(page, 'The folder of the project is gone')
    await showsColour(page, 300, 100, blue)
  },
)

longTest('says why nothing is shown in a browser that does not run the service worker', async () => {
  const remote = '<!doctype html><img src="https://example.com/a.png">'
  const { page } = await open(
    { 'index.html': remote + (await readFile(join(await makePreviewProject(), 'index.html'), 'utf8')) },
    {
      isShown: false,
      before: () => {
        ServiceWorkerContainer.prototype.register = () => Promise.reject(new Error('not here'))
      },
    },
  )
  await page.waitForFunction(() => document.querySelector('.stage-error')?.textContent?.includes('not here'))
  await showsText(page, 'or use a window that is not private')
  expect(await page.$('.stage-status')).toBeNull()
})

longTest('lists a script that fails to load once', async () => {
  const missing = (await readFile(join(await makePreviewProject(), 'index.html'), 'utf8')).replace(
    '<script>',
    '<script src="gone.js"></script><script>',
  )
  const { page } = await open({ 'index.html': missing }, { isChecked: true })
  await named(page, 'Problems 1', 'tab')
  await click(page, 'Problems 1', 'tab')
  await showsText(page, 'lint/missing-asset')
  expect(await page.$$eval('.problem', (all) => all.length)).toBe(1)
})

longTest('changes its colours at a button, and keeps them', async () => {
  const { page } = await open({}, { atStart: false })
  const brightness = () =>
    page.evaluate(() => {
      const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
      context.fillStyle = getComputedStyle(document.body).backgroundColor
      context.fillRect(0, 0, 1, 1)
      return context.getImageData(0, 0, 1, 1).data[1] ?? 0
    })
  const system = await brightness()
  await click(page, 'Colours: system', 'button')
  await named(page, 'Colours: light', 'button')
  await expect.poll(brightness).toBeGreaterThan(200)
  await click(page, 'Colours: light', 'button')
  await named(page, 'Colours: dark', 'button')
  await expect.poll(brightness).toBeLessThan(60)
  await page.reload()
  await named(page, 'Colours: dark', 'button')
  await expect.poll(brightness).toBeLessThan(60)
  await click(page, 'Colours: dark', 'button')
  await named(page, 'Colours: system', 'button')
  await expect.poll(brightness).toBe(system)
})

longTest('says in which lane frames are captured, and what makes them slower', async () => {
  const { page, folder } = await open()
  await click(page, 'Problems', 'tab')
  await click(page, 'Check by a real capture')
  await showsText(page, 'Frames 0, 30, 60, 89, 119: captured in the fast lane.')
  const file = join(folder, 'index.html')
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace('#bar {', '#bar { backdrop-filter: blur(2px); mix-blend-mode: multiply;'),
  )
  await hidesText(page, 'captured in the fast lane')
  await click(page, 'Check by a real capture')
  await showsText(page, 'VID_LANE_FALLBACK')
  await showsText(page, 'To render faster, change the part that the message names.')
})

test('steps through a batch file of the project, and reads it again when it is edited', async () => {
  const { page, folder } = await open({ 'rows.json': '[{"back":"#ff0000"},{"back":"#00ff00"}]' })
  await showsText(page, 'rows.json')
  await page.select('#own-batch', 'rows.json')
  await showsColour(page, 300, 100, [255, 0, 0])
  await click(page, 'Row after')
  await showsColour(page, 300, 100, [0, 255, 0])
  await writeFile(join(folder, 'rows.json'), '{"rows":[{"back":"#ff0000"},{"back":"#0000ff"}]}')
  await showsColour(page, 300, 100, [0, 0, 255])
  await showsText(page, 'Row 2 of 2')
})

test('shows no difference between the preview and the captured frame', async () => {
  const { page } = await open()
  await type(page, 'Frame', '70')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await click(page, 'Compare with the exact frame')
  await showsText(page, 'Frame 70 as a render captures it')
  await click(page, 'Difference')
  await page.waitForSelector('.exact-frame.difference')
  await page.$eval('.exact-frame', (image) => (image as HTMLImageElement).decode())
  const brightest = async () => {
    const { width, data } = decodePng(await pngOfPicture(page))
    expect(width).toBe(320)
    return data.reduce((most, value, index) => (index % 4 === 3 ? most : Math.max(most, value)), 0)
  }
  // Differences are drawn eight times as bright; the player is allowed one step of 255.
  await expect.poll(brightest).toBeLessThan(20)
})

test('renders with the chosen settings, and plays the result', async () => {
  const { page } = await open()
  await click(page, 'Render', 'tab')
  await page.select('#render-quality', 'draft')
  await click(page, 'Render index.html')
  const video = await page.waitForSelector('.job video', { timeout: 120_000 })
  await showsText(page, 'in the folder renders')
  const length = await video?.evaluate(
    (element) =>
      new Promise((resolve) => {
        if (element.readyState > 0) resolve(element.duration)
        element.addEventListener('loadedmetadata', () => resolve(element.duration))
        element.addEventListener('error', () => resolve(element.error?.message))
      }),
  )
  expect(length).toBe(4)
})

test('shows another composition of the folder', async () => {
  const { page } = await open()
  await click(page, 'Files', 'tab')
  await click(page, 'other', 'button')
  await showsText(page, '100 × 100')
  await page.waitForFunction(() => document.querySelector('vid-player')?.frames === 30)
  expect(page.url()).toContain('entry=other.html')
  // It draws nothing there: white, as in a format without alpha.
  await showsColour(page, 250, 250, [255, 255, 255])
  await click(page, 'Checkerboard')
  await expect.poll(async () => (await colourAt(page, 250, 250))[0]).toSatisfy(isGrey)
})

longTest('shows the picture at its own size, with guides, and in full screen', async () => {
  const { page } = await open()
  const width = () => page.$eval('.picture', (element) => element.getBoundingClientRect().width)
  await expect.poll(width).toBeGreaterThan(320)
  await page.keyboard.press('1')
  await showsText(page, '100 %')
  await expect.poll(width).toBe(320)
  await page.keyboard.press('+')
  await expect.poll(width).toBe(480)
  await page.keyboard.press('0')
  for (const name of ['Safe areas', 'Thirds']) await click(page, name)
  await expect.poll(async () => (await page.$$('.safe-area, .thirds')).length).toBe(3)
  await page.keyboard.press('f')
  await page.waitForFunction(() => document.fullscreenElement?.className === 'stage')
  await page.keyboard.press('f')
  await page.waitForFunction(() => document.fullscreenElement === null)
})

longTest('copies the changed values for the command', async () => {
  const { page } = await open()
  await page
    .browserContext()
    .overridePermissions(new URL(page.url()).origin, ['clipboard-read', 'clipboard-sanitized-write'])
  await type(page, 'Title', "It's")
  await click(page, 'Copy as --variables')
  await showsText(page, 'Copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`--variables '{"title":"It'\\''s"}'`)
})

test('has no serious accessibility finding on any of its panels, dark and light', async () => {
  const { page } = await open()
  await page.evaluate(axe.source)
  for (const panel of ['Variables', 'Comments', 'Problems', 'Render', 'Files']) {
    await click(page, panel, 'tab')
    for (const value of ['dark', 'light']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
      const violations = await page.evaluate(async () => {
        const { violations } = await window.axe.run(document, { iframes: false })
        return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      })
      expect(violations, `${panel}, ${value}`).toEqual([])
    }
  }
})

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
