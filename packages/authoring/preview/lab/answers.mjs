// Measures how soon the preview answers: from letting a clip go to the new picture, beside saving the file, and how long an
// exact frame takes, with the processor time of the server and its browsers; medians. Needs a build.
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPreview } from '@vid/preview'
import { followTree } from '../../../../bench/measure/process-tree.mjs'
import { path } from '../../../../scripts/workspaces.mjs'
import { isStill, startBrowser } from './browser.mjs'

const { values } = parseArgs({ options: { times: { type: 'string', default: '9' } } })
const times = Number(values.times)

const CLIPS = 40
const COLUMNS = 8
const clips = Array.from({ length: CLIPS }, (_, index) => {
  const place = `left:${(index % COLUMNS) * 150}px;top:${Math.floor(index / COLUMNS) * 120}px;width:120px;height:90px`
  const start = index === 0 ? 0 : 2
  return `<p id="c${index}" data-start="${start}" data-duration="3" data-track-index="${index}" style="position:absolute;${place};background:hsl(${index * 9} 80% 50%)"></p>`
})
const PAGE = `<!doctype html><body style="margin:0"><div data-composition-id="film" data-width="1280" data-height="720" data-duration="12">
${clips.join('\n')}
</div></body>`

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
const print = (name, numbers) =>
  console.log(`${name}: ${Math.round(median(numbers))} ms (${numbers.map((number) => Math.round(number)).join(', ')})`)

/** In the composition: the time at which the picture has the first clip, or no longer has it. */
const clipIsShown = (isShown) =>
  new Promise((resolve) => {
    const check = () => {
      const clip = document.querySelector('#c0')
      const isVisible = clip !== null && getComputedStyle(clip).visibility === 'visible' && clip.offsetWidth > 0
      if (clip !== null && isVisible === isShown)
        requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))
      else requestAnimationFrame(check)
    }
    check()
  })

/** In the page: the time at which a pointer is let go. */
const letGo = () =>
  new Promise((resolve) => {
    const now = () => resolve(performance.timeOrigin + performance.now())
    addEventListener('pointerup', now, { once: true, capture: true })
  })

/** The frame of the composition that is shown: another one after each change. */
const shownIn = async (page, isShown) => {
  for (;;) {
    const frames = page.frames().filter((frame) => frame !== page.mainFrame())
    // The scripts of the composition have a clock that stands still.
    const shown = frames.map((frame) =>
      frame
        .isolatedRealm()
        .evaluate(clipIsShown, isShown)
        .catch(() => new Promise(() => {})),
    )
    const attached = new Promise((resolve) => page.once('frameattached', () => resolve(undefined)))
    const navigated = new Promise((resolve) => page.once('framenavigated', () => resolve(undefined)))
    const time = await Promise.race([...shown, attached, navigated])
    if (time !== undefined) return time
  }
}

const measureDrag = async (page, isAway) => {
  const area = await (await page.$('.clip[aria-label^="c0, "]')).boundingBox()
  const y = area.y + area.height / 2
  const x = area.x + area.width / 2
  const released = page.evaluate(letGo)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + (isAway ? 1.5 : -1.5) * area.width, y, { steps: 4 })
  const shown = shownIn(page, !isAway)
  await page.mouse.up()
  const taken = (await shown) - (await released)
  await isStill(page)
  return taken
}

/** The page with clips that are dragged and saved. */
const measurePicture = async (browser, folder) => {
  const index = join(folder, 'index.html')
  await writeFile(index, PAGE)
  const preview = await createPreview({ projectDir: folder, cwd: folder })
  try {
    const page = await browser.newPage()
    await page.setViewport({ width: 1280, height: 800 })
    await page.goto(preview.url)
    await page.waitForSelector('.clip:not(.fixed)')
    await isStill(page)
    await page.keyboard.press('Home')
    await isStill(page)
    const dragged = []
    for (let n = 0; n < 2 * times; n++) dragged.push(await measureDrag(page, n % 2 === 0))
    print('letting go to the new picture', dragged)
    await (await page.waitForSelector('::-p-aria([name="Discard"][role="button"])')).click()
    await page.waitForFunction(() => document.querySelector('.staged')?.textContent === 'No changes')
    await isStill(page)
    const saved = []
    for (let n = 0; n < 2 * times; n++) {
      const shown = shownIn(page, n % 2 !== 0)
      const begun = Date.now()
      await writeFile(index, n % 2 === 0 ? PAGE.replace('data-start="0"', 'data-start="5"') : PAGE)
      saved.push((await shown) - begun)
      await isStill(page)
    }
    print('a file is saved to the new picture', saved)
    await page.close()
  } finally {
    await preview.close()
  }
}

/** Exact frames of a composition: the first, another one, and one after an edit. */
const measureExact = async (folder) => {
  const preview = await createPreview({ projectDir: folder, cwd: folder })
  const tree = followTree(process.pid)
  const { port, url } = preview
  const cookie = `vid_preview_${port}=${new URL(url).searchParams.get('token')}`
  const post = async (route, body) => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/${route}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ entry: 'index.html', ...body }),
    })
    if (!reply.ok) throw new Error(`${route}: ${await reply.text()}`)
    return reply.arrayBuffer()
  }
  const measure = async (frame) => {
    const begun = { time: performance.now(), cpu: tree.cpuMs() }
    await post('frame', { frame })
    return { wall: performance.now() - begun.time, cpu: tree.cpuMs() - begun.cpu }
  }
  try {
    const first = await measure(40)
    const next = []
    const edited = []
    for (let n = 0; n < times; n++) next.push(await measure(41 + n))
    for (let n = 0; n < times; n++) {
      await post('edit/stage', {
        operations: [{ op: 'style', target: '#hello', property: 'color', value: `rgb(0 0 ${n})` }],
      })
      edited.push(await measure(40))
    }
    console.log(`the first exact frame: ${Math.round(first.wall)} ms, ${Math.round(first.cpu)} ms of the processor`)
    for (const [name, list] of [
      ['an exact frame of the same composition', next],
      ['an exact frame after an edit', edited],
    ]) {
      print(
        name,
        list.map(({ wall }) => wall),
      )
      print(
        `${name}, processor`,
        list.map(({ cpu }) => cpu),
      )
    }
  } finally {
    await preview.close()
  }
}

const folders = await Promise.all(['film', 'hello'].map((name) => mkdtemp(join(tmpdir(), `vid-preview-${name}-`))))
const [composition, hello] = folders
try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}, medians`)
  const browser = await startBrowser()
  try {
    await measurePicture(browser, composition)
  } finally {
    await browser.close()
  }
  await cp(path('examples/hello'), hello, { recursive: true })
  await symlink(path('node_modules'), join(hello, 'node_modules'))
  await measureExact(hello)
} finally {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
}
