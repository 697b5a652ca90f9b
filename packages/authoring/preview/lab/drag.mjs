// Measures how smoothly a clip is dragged on the timeline of the preview: pictures drawn and dropped, long tasks and layout
// shifts, by a trace of the browser. Needs a build.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPreview } from '@vid/preview'
import { startBrowser } from './browser.mjs'

const { values } = parseArgs({
  options: { clips: { type: 'string', default: '200' }, seconds: { type: 'string', default: '3' } },
})
const count = Number(values.clips)
const seconds = Number(values.seconds)

const TRACKS = 20
const clips = Array.from({ length: count }, (_, index) => {
  const track = index % TRACKS
  const start = Math.floor(index / TRACKS) * 3
  const style = `position:absolute;left:${track * 60}px;top:${(index % 9) * 70}px;width:50px;height:60px;background:hsl(${index * 9} 80% 50%)`
  return `<p id="c${index}" data-start="${start}" data-duration="2" data-track-index="${track}" style="${style}"></p>`
})
const composition = `<!doctype html><body style="margin:0"><div data-composition-id="film" data-width="1280" data-height="720" data-duration="${Math.ceil(count / TRACKS) * 3}">${clips.join('\n')}</div></body>`

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

/** Moves the pointer at every picture of the screen, and observes what that costs. */
const observe = () => {
  const state = { intervals: [], shifts: [], longTasks: [] }
  globalThis.dragged = state
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) state.longTasks.push(duration)
  }).observe({ type: 'longtask' })
  new PerformanceObserver((list) => {
    for (const { value, sources, hadRecentInput } of list.getEntries())
      if (!hadRecentInput)
        state.shifts.push({
          value: value.toFixed(4),
          nodes: sources.map(({ node, previousRect, currentRect }) => [
            node?.className || node?.nodeName,
            [previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join()),
          ]),
        })
  }).observe({ type: 'layout-shift' })
  let last
  const tick = (now) => {
    if (last !== undefined) state.intervals.push(now - last)
    last = now
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
}

const browser = await startBrowser()
const folder = await mkdtemp(join(tmpdir(), 'vid-preview-drag-'))
let preview
try {
  await writeFile(join(folder, 'index.html'), composition)
  preview = await createPreview({ projectDir: folder, cwd: folder })
  const page = await browser.newPage()
  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(preview.url)
  await page.waitForSelector('.clip:not(.fixed)')
  await page.waitForFunction(() => document.querySelector('.stage')?.ariaBusy === 'false')
  const area = await (await page.$('.clip:not(.fixed)')).boundingBox()
  const x = area.x + area.width / 2
  const y = area.y + area.height / 2
  await page.evaluate(observe)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.tracing.start({
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline.frame', 'toplevel'],
  })
  await page.evaluate(() => {
    globalThis.dragged.intervals.length = 0
    globalThis.dragged.longTasks.length = 0
  })
  const begun = Date.now()
  let moves = 0
  while (Date.now() - begun < seconds * 1000) {
    await page.mouse.move(x + 150 * Math.sin((Date.now() - begun) / 300), y)
    moves += 1
  }
  const elapsed = (Date.now() - begun) / 1000
  const { intervals, longTasks } = await page.evaluate(() => globalThis.dragged)
  const trace = JSON.parse(new TextDecoder().decode(await page.tracing.stop()))
  // Where no other clip of its track is.
  await page.mouse.move(x + 10, y)
  await page.mouse.up()
  await page.waitForFunction(() => document.querySelector('.staged')?.textContent === '1 change')
  await page.waitForFunction(() => document.querySelector('.stage')?.ariaBusy === 'false')
  const { shifts } = await page.evaluate(() => globalThis.dragged)
  const named = (name) => trace.traceEvents.filter((event) => event.name === name)
  const cost = (name) => `${(sum(named(name).map(({ dur = 0 }) => dur)) / 1000 / Math.max(1, moves)).toFixed(2)} ms`
  console.log(`${count} clips, ${elapsed.toFixed(1)} s, ${moves} moves, load ${loadavg()[0]?.toFixed(1)}`)
  console.log(
    `pictures: ${(intervals.length / elapsed).toFixed(1)} a second, longest gap ${Math.max(...intervals).toFixed(0)} ms`,
  )
  console.log(`gaps above 25 ms: ${intervals.filter((gap) => gap > 25).length} of ${intervals.length}`)
  console.log(`drawn ${named('DrawFrame').length}, dropped ${named('DroppedFrame').length}`)
  console.log(`long tasks: ${longTasks.length} (${longTasks.map((task) => task.toFixed(0)).join(', ')} ms)`)
  console.log(
    `per move: script ${cost('FunctionCall')}, style ${cost('UpdateLayoutTree')}, layout ${cost('Layout')}, paint ${cost('Paint')}`,
  )
  console.log(`layout shifts: ${shifts.length} ${JSON.stringify(shifts.slice(0, 10))}`)
} finally {
  await browser.close()
  await preview?.close()
  await rm(folder, { recursive: true, force: true })
}
