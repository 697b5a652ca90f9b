import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrames, probeMedia } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { amplitude, between, readSound, writeTone } from '../support/sound.ts'
import { scratch, vidInProcess as vid } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

const SHAPES = ['16:9', '9:16', '1:1'] as const
const NAMES = ['16x9', '9x16', '1x1'] as const
const SIZES = { '16x9': [320, 180], '9x16': [180, 320], '1x1': [180, 180] } as const

// Side by side where there is room, below each other in a tall page; the square has a colour of its own.
const page = `<!doctype html><html><head><style>
  #root { container-type: size }
  #halves { position: absolute; inset: 0; display: flex }
  @container (aspect-ratio < 1) { #halves { flex-direction: column } }
  #halves > * { flex: 1 }
  #one { background: #c00000; animation: go 0.4s linear both }
  #two { background: #0000c0 }
  #root[data-shape="1:1"] #two { background: #00c000 }
  @keyframes go { to { background: #c0c000 } }
</style></head>
<body><div id="root" data-composition-id="main" data-width="320" data-height="180" data-duration="0.4" data-shapes="16:9,9:16,1:1,4:5">
<div id="halves"><div id="one"></div><div id="two"></div></div>
<div id="nested" data-composition-id="nested" data-composition-src="part.html" data-start="0" style="width: 20px; height: 20px"></div>
<audio src="tone.wav" data-start="0"></audio>
</div></body></html>`
const part = `<template><style>.dot { width: 20px; height: 20px; background: #000 } [data-shape="9:16"] .dot { background: #fff }</style>
<div data-composition-id="nested" data-width="20" data-height="20"><div class="dot"></div></div></template>`

const FRAMES = 12

/** The project with a page, which has another colour where a test tells compositions apart. */
const makeProject = async (html = page) => {
  // Two segments of each shape, so that two workers share them.
  const config = '{ "render": { "segmentFrames": 6 } }'
  const project = await projectOf({ 'index.html': html, 'part.html': part, 'vid.config.json': config })
  await writeTone(join(project, 'tone.wav'), 440, 1)
  return project
}

const CACHED = { VID_CACHE: 'on' } as const

/** Renders shapes to a new folder, and reports the events. */
const renderJob = async (
  project: string,
  flags: readonly string[] = [],
  env: { readonly VID_CACHE?: 'on' } = {},
  shapes: readonly string[] = SHAPES,
) => {
  const folder = await scratch()
  const output = join(folder, 'film-{shape}.mp4')
  const run = await vid(['render', project, '--shapes', shapes.join(','), '-o', output, '--json', ...flags], { env })
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return {
    folder,
    events: run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

const bytesOf = async (folder: string) =>
  Object.fromEntries(
    await Promise.all(
      NAMES.map(async (name) => [name, (await readFile(join(folder, `film-${name}.mp4`))).toString('base64')] as const),
    ),
  )

type Timing = { readonly plugin: string; readonly hook: string; readonly calls: number }

/** How often the sound was mixed in all renders of some events. */
const mixesIn = (events: readonly Record<string, unknown>[]): number =>
  events
    .filter(({ type }) => type === 'render-complete')
    .flatMap(({ timings }) => timings as readonly Timing[])
    .filter(({ plugin, hook }) => plugin === '@vid/ffmpeg' && hook === 'mix')
    .reduce((sum, { calls }) => sum + calls, 0)

/** Colour of one pixel of a frame, by parts of its width and height. */
const colourAt = (frame: Uint8Array, [width, height]: readonly [number, number], x: number, y: number) => {
  const offset = (Math.floor(y * height) * width + Math.floor(x * width)) * 3
  return [...frame.subarray(offset, offset + 3)]
}

const near = ([red, green, blue]: readonly number[]) => [red, green, blue].map((value = 0) => expect.closeTo(value, -1))

test('each shape is laid out by its own styles, with the same sound, which is mixed once', async () => {
  const { folder, events } = await renderJob(await makeProject())
  for (const name of NAMES) {
    const size = SIZES[name]
    const [width, height] = size
    const file = join(folder, `film-${name}.mp4`)
    const frames: Uint8Array[] = []
    for await (const frame of decodeFrames(file, { pixFmt: 'rgb24' })) frames.push(frame)
    expect(frames).toHaveLength(FRAMES)
    const [first] = frames as [Uint8Array]
    expect(first).toHaveLength(width * height * 3)
    const isTall = name === '9x16'
    const second = name === '1x1' ? [0, 0xc0, 0] : [0, 0, 0xc0]
    expect(colourAt(first, size, 0.25, 0.25)).toEqual(near([0xc0, 0, 0]))
    expect(colourAt(first, size, 0.75, 0.25)).toEqual(near(isTall ? [0xc0, 0, 0] : second))
    expect(colourAt(first, size, 0.25, 0.75)).toEqual(near(isTall ? second : [0xc0, 0, 0]))
    expect(colourAt(first, size, 8 / width, 8 / height)).toEqual(near(isTall ? [255, 255, 255] : [0, 0, 0]))
    expect(colourAt(frames.at(-1) as Uint8Array, size, 0.25, 0.25)[1]).toBeGreaterThan(0xa0)
    const [left] = await readSound(file)
    expect(amplitude(between(left, 0.1, 0.3), 440)).toBeCloseTo(0.5, 1)
  }
  expect(mixesIn(events)).toBe(1)
  expect(events.at(-1)).toMatchObject({ type: 'shapes-complete', completed: 3, failed: 0 })
})

test('a shape has the same bytes in a job and alone, with any number of workers, of the whole or a range, and from kept segments', async () => {
  const project = await makeProject()
  const first = await renderJob(project, ['-w', '1'], CACHED)
  const job = await bytesOf(first.folder)
  expect(await bytesOf((await renderJob(project, ['-w', '2'])).folder)).toEqual(job)
  const single = join(await scratch(), 'film.mp4')
  const run = await vid(['render', project, '--shapes', '1:1', '-o', single])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect((await readFile(single)).toString('base64')).toBe(job['1x1'])
  expect(new Set(Object.values(job)).size).toBe(3)

  const range = ['--from', '0.1', '--to', '75%', '--quality', 'draft', '--format', 'mp4']
  const part = await renderJob(project, range, {}, ['9:16', '1:1'])
  const alone = join(await scratch(), 'tall.mp4')
  expect(await vid(['render', project, '--shapes', '9:16', '-o', alone, ...range])).toMatchObject({ code: 0 })
  expect((await readFile(alone)).equals(await readFile(join(part.folder, 'film-9x16.mp4')))).toBe(true)
  expect((await probeMedia(alone, { countFrames: true })).video).toMatchObject([{ width: 180, height: 320, frames: 6 }])

  const again = await renderJob(project, [], CACHED)
  expect(await bytesOf(again.folder)).toEqual(job)
  const segments = again.events.filter(({ type }) => type === 'segment-complete')
  expect(segments.length).toBeGreaterThanOrEqual(6)
  for (const segment of segments) expect(segment).toHaveProperty('reused')
})

longTest('formats that share no frames are made for each shape', async () => {
  const { folder } = await renderJob(await makeProject(), ['--format', 'mp4,gif', '--to', '0.1s'])
  const files = NAMES.flatMap((name) => [`film-${name}.gif`, `film-${name}.mp4`])
  expect((await readdir(folder)).sort()).toEqual(files.sort())
})

longTest('a still has the shape that is asked for, and a check looks at each that is declared', async () => {
  const project = await makeProject()
  const stills = await scratch()
  const still = await vid(['snapshot', project, '--shape', '9:16', '--at', '0.2s', '-o', stills, '--json'])
  expect(still, still.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(still.stdout)).toMatchObject({ width: 180, height: 320 })
  const refused = await vid(['snapshot', project, '--shape', '3:4', '-o', stills])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('VID_SHAPE_UNDECLARED')
  const all = await vid(['check', project, '--json'])
  expect(JSON.parse(all.stdout)).toMatchObject({ runs: 4 })
  const one = await vid(['check', project, '--shape', '9:16', '--json'])
  expect(JSON.parse(one.stdout)).toMatchObject({ runs: 1 })
})

longTest('commands that look at a composition show it in a shape', async () => {
  const project = await makeProject()
  const output = join(await scratch(), 'sheet.png')
  const look = async (...args: readonly string[]) => {
    const run = await vid([...args, '--json'])
    expect(run, run.stderr).toMatchObject({ code: 0 })
    return JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
  }
  const [width, height] = SIZES['9x16']
  expect(await look('timeline', project, '--shape', '9:16')).toMatchObject({ width, height })
  const heightOf = async (...flags: readonly string[]) => {
    const sheet = await look('sheet', project, '--frames', '1', '-o', output, '--force', ...flags)
    return (sheet.pages as readonly { readonly height: number }[])[0]?.height ?? 0
  }
  expect(await heightOf('--shape', '9:16')).toBeGreaterThan(1.3 * (await heightOf()))
  const edited = await makeProject(page.replace('#00c000', '#c000c0'))
  expect(await look('diff', project, edited)).toMatchObject({ differing: 0 })
  expect(await look('diff', project, edited, '--shape', '1:1')).toMatchObject({ frames: FRAMES, differing: FRAMES })
})
