// Takes the pictures of docs/preview.md: the page of the preview, used by a mouse and keys. With --into FOLDER, each state at
// two sizes, dark and light, to be looked at. Needs a build.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createPreview } from '@vid/preview'
import { wavOf } from '@vid/testkit'
import { path } from '../../../../scripts/workspaces.mjs'
import { isStill, startBrowser } from './browser.mjs'

const { values } = parseArgs({ options: { into: { type: 'string' } } })

const STYLES = `
body { margin: 0; }
#root { position: relative; width: 1280px; height: 720px; overflow: hidden; background: #22304a; color: #fff; font-family: Inter, sans-serif; }
h1 { position: absolute; left: 96px; top: 120px; margin: 0; font-size: 96px; font-weight: 700; line-height: 1.2; }
#lead { position: absolute; left: 100px; top: 260px; margin: 0; font-size: 40px; color: #cbd5e6; }
.price { position: absolute; left: 100px; top: 380px; font-size: 64px; }
#logo { position: absolute; right: 80px; bottom: 60px; width: 160px; height: 160px; border-radius: 50%; background: #f80; }
#small { position: absolute; left: 100px; bottom: 40px; margin: 0; font-size: 13px; }
#bar { position: absolute; left: 0; bottom: 0; width: 100%; height: 20px; background: #f80; transform-origin: left; animation: grow 8s linear both; }
@keyframes grow { from { transform: scaleX(0); } }
`

const composition = (clips) => `<!doctype html>
<html lang="en" data-composition-variables='[{ "id": "heading", "type": "string", "label": "Heading", "default": "Autumn sale" }]'>
<meta charset="utf-8">
<style>${STYLES}</style>
<div id="root" data-composition-id="promo" data-width="1280" data-height="720" data-duration="8">
${clips.join('\n')}
<div id="bar"></div>
</div>
</html>
`

const PAGE = composition([
  '<h1 id="headline" data-var-text="heading" data-start="0" data-duration="3" data-track-index="0"></h1>',
  '<p id="lead" data-start="headline - 1.5" data-duration="4" data-track-index="1">Everything must go</p>',
  '<div class="price" data-start="3" data-duration="2" data-track-index="0">from 9.90</div>',
  '<div id="card" data-composition-src="card.html" data-start="5" data-duration="3" data-track-index="2"></div>',
  '<div id="logo" data-start="1" data-duration="6" data-track-index="3"></div>',
  '<audio id="music" src="music.wav" data-start="0" data-duration="8" data-track-index="4"></audio>',
])

const FAULTY_PAGE = composition([
  '<h1 id="headline" data-var-text="heading" data-start="0" data-duration="4" data-track-index="0"></h1>',
  '<p id="lead" data-start="0.5" data-duration="4" data-track-index="1">Everything must go</p>',
  '<div class="price" style="color: #33415c" data-start="4.5" data-duration="2.5" data-track-index="2">from 9.90</div>',
  '<div id="logo" data-start="1" data-duration="6" data-track-index="3"></div>',
  '<p id="small" data-start="2" data-duration="5" data-track-index="4">Prices until 30 November, while stocks last</p>',
])

const CARD = `<div data-composition-id="card" data-width="1280" data-height="720">
<p id="offer" data-start="0.5" data-duration="2" style="position: absolute; left: 100px; top: 470px; margin: 0; font-size: 56px">Free delivery</p>
</div>
`

/** Beats that fade. */
const beats = (time) => 0.5 * Math.exp(-6 * (time % 0.8)) * Math.sin(2 * Math.PI * 220 * time)

const FILES = { 'card.html': CARD, 'music.wav': wavOf(beats, { seconds: 8, rate: 16_000 }) }

const showsText = (page, text) =>
  page.waitForFunction((shown) => document.body.textContent.includes(shown), { timeout: 120_000 }, text)

const goTo = async (page, frame) => {
  const field = await page.waitForSelector('::-p-aria([name="Frame"][role="textbox"])')
  await field.click({ count: 3 })
  await page.keyboard.type(String(frame))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.waitForFunction((shown) => document.querySelector('vid-player')?.frame === shown, {}, frame)
}

const choose = async (page, name, role) =>
  (await page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`)).click()

const clipArea = async (page, name) => (await page.waitForSelector(`.clip[aria-label^="${name}, "]`)).boundingBox()

/** A point of the picture on the screen. */
const onPicture = async (page, x, y) => {
  const area = await (await page.$('.picture')).boundingBox()
  return [area.x + (x * area.width) / 1280, area.y + (y * area.width) / 1280]
}

const press = async (page, from, to) => {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move(...to, { steps: 6 })
}

/** An element on the picture, a clip on the timeline, and what both staged. */
const useEditing = async (page, take) => {
  await goTo(page, 30)
  await page.mouse.click(...(await onPicture(page, 1120, 580)))
  await page.waitForSelector('.selected-box')
  await press(page, await onPicture(page, 1120, 580), await onPicture(page, 642, 500))
  await page.waitForSelector('.align-line')
  await take('picture')
  await page.mouse.up()
  await showsText(page, '1 change')
  await isStill(page)
  await goTo(page, 75)
  await choose(page, 'headline, element, 00:00.000 to 00:03.000', 'button')
  const { x, y, width, height } = await clipArea(page, 'headline')
  const playhead = await (await page.$('.playhead')).boundingBox()
  await press(page, [x + width - 2, y + height / 2], [playhead.x + 4, y + height / 2])
  await page.waitForSelector('.snap-line')
  await take('timeline')
  await page.mouse.up()
  await showsText(page, '2 changes')
  await isStill(page)
  await choose(page, 'Changes', 'tab')
  await showsText(page, 'frames differ')
  await take('changes')
}

/** What is wrong in a composition, and which frames an edit has changed. */
const useReview = async (page, take) => {
  await choose(page, 'Problems', 'tab')
  await showsText(page, '2 findings')
  await page.click('.card.problem.error .place.numbers')
  await page.waitForSelector('.selected-box')
  await isStill(page)
  await take('findings')
  await choose(page, 'headline, element, 00:00.000 to 00:04.000', 'button')
  await page.keyboard.press('>')
  await showsText(page, '1 change')
  await choose(page, 'Changes', 'tab')
  await showsText(page, 'frames differ')
  await showsText(page, 'Since written')
  await take('changed')
}

const comment = async (page, text) => {
  await page.keyboard.press('c')
  await page.waitForSelector('textarea:focus')
  // What the comment is about is shown once the source of the selected element is read.
  await page.waitForSelector('.comment-form input[type="checkbox"]')
  await page.keyboard.type(text)
  await page.keyboard.down('Control')
  await page.keyboard.press('Enter')
  await page.keyboard.up('Control')
  await showsText(page, text)
}

/** Calls tools of the assistant's server in a project, as a client does. */
const withAssistant = async (project, use) => {
  const client = new Client({ name: 'claude-code', version: '1' })
  const args = [path('packages/engine/cli/bin/vid.js'), 'mcp']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: project }))
  try {
    await use(async (name, parameters) => {
      const { isError, content } = await client.callTool({ name, arguments: parameters })
      if (isError) throw new Error(content[0].text)
    })
  } finally {
    await client.close()
  }
}

/** Comments on two elements, and an assistant that has answered one of them and staged a change. */
const useComments = async (page, take, project) => {
  await goTo(page, 30)
  await choose(page, 'headline, element, 00:00.000 to 00:03.000', 'button')
  await comment(page, 'In the orange of our logo')
  await goTo(page, 120)
  await choose(page, 'div, element, 00:03.000 to 00:05.000', 'button')
  await comment(page, 'Is this still the price?')
  await withAssistant(project, async (call) => {
    const color = { op: 'style', target: '#headline', property: 'color', value: '#ff8800' }
    await call('edit', { operations: [color] })
    await call('comment_answer', { id: '1', text: 'Staged: #ff8800, as in the logo.' })
  })
  await showsText(page, 'Staged: #ff8800')
  await goTo(page, 45)
  await isStill(page)
  await take('comments')
  await choose(page, 'Changes', 'tab')
  await showsText(page, 'frames differ')
  await take('assistant')
}

const USES = [
  [PAGE, useEditing],
  [FAULTY_PAGE, useReview],
  [PAGE, useComments],
]

/** Uses the page of a composition, at a size and in a colour scheme. */
const takePictures = async (browser, folder, html, use, { width, height, theme, fileOf }) => {
  const project = join(folder, 'autumn')
  await rm(project, { recursive: true, force: true })
  await mkdir(project, { recursive: true })
  for (const [name, content] of Object.entries({ ...FILES, 'index.html': html }))
    await writeFile(join(project, name), content)
  const preview = await createPreview({ projectDir: project, cwd: project })
  try {
    const page = await browser.newPage()
    await page.setViewport({ width, height })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
    await page.goto(preview.url)
    await page.waitForSelector('.clip:not(.fixed)')
    await isStill(page)
    await use(page, (state) => page.screenshot({ path: fileOf(state), captureBeyondViewport: false }), project)
    await page.close()
  } finally {
    await preview.close()
  }
}

const looks = values.into
  ? ['1280x800', '2560x1440'].flatMap((size) =>
      ['dark', 'light'].map((theme) => {
        const [width, height] = size.split('x').map(Number)
        return { width, height, theme, fileOf: (state) => join(resolve(values.into), `${state}-${size}-${theme}.png`) }
      }),
    )
  : [{ width: 1280, height: 800, theme: 'dark', fileOf: (state) => path(`docs/preview-${state}.png`) }]

const browser = await startBrowser()
const folder = await mkdtemp(join(tmpdir(), 'vid-preview-pictures-'))
try {
  if (values.into) await mkdir(resolve(values.into), { recursive: true })
  for (const look of looks) for (const [html, use] of USES) await takePictures(browser, folder, html, use, look)
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}
