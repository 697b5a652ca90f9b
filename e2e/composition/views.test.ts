import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, probeMedia, runProcess } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { makeSources } from '../support/sources.ts'
import { here, scratch, vidInProcess as vid } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

const page = `<!doctype html><html><head><meta charset="utf-8"><style>
  #root { background: linear-gradient(#fff, #cde); font: 20px Inter, sans-serif }
  #card { position: absolute; left: 40px; top: 20px; width: 121px; height: 61px; border: 1px solid #000;
    border-radius: 12px; box-shadow: 0 4px 10px #0008 }
  #turn { position: absolute; left: 240px; top: 90px; width: 40px; height: 40px; background: #080 }
  #edge { position: absolute; left: 300px; top: 160px; width: 20px; height: 20px; background: #f00 }
  canvas { position: absolute; left: 10px; top: 100px }
</style></head><body>
<div id="root" data-composition-id="view" data-width="320" data-height="180" data-duration="0.4" data-no-timeline>
  <div id="card">Text of a card</div><div id="turn"></div><div id="edge"></div>CANVAS
</div><script>
  addEventListener('vid-seek', ({ detail: { time } }) => {
    turn.style.transform = 'rotate(' + (10 + time * 90) + 'deg)'
    const context = document.querySelector('canvas')?.getContext('2d')
    if (context) context.fillRect(0, 0, 10 + time * 100, 40)
  })
</script></body></html>`

/** A project that is captured in a lane. */
const projectIn = (lane: string, files: Readonly<Record<string, string>>) => {
  const config = `import puppeteer from '@vid/capture-puppeteer'\nexport default { capture: puppeteer({ lane: '${lane}' }) }`
  return projectOf({ ...files, 'vid.config.mjs': config })
}

/** The digest of each image of a sequence. */
const imagesOf = async (folder: string): Promise<string[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort()
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))))
  return files.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
}

const sequence = async (project: string, args: readonly string[]) => {
  const output = join(await scratch(), 'images')
  const flags = ['--format', 'png-sequence', '-q', 'draft', '-o', output, ...args]
  const run = await vid(['render', project, ...flags])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return { output, images: await imagesOf(output) }
}

/** One pixel of an image, as red, green and blue. */
const pixelAt = async (image: string, left: number, top: number): Promise<number[]> => {
  const { ffmpeg } = await findFfmpeg()
  const filter = `crop=1:1:${left}:${top},format=rgb24,signalstats,metadata=print:file=-`
  const printed = await runProcess(ffmpeg, ['-v', 'error', '-i', image, '-vf', filter, '-f', 'null', '-'], undefined)
  return ['YAVG', 'UAVG', 'VAVG'].map((key) => Number(new RegExp(`${key}=(\\S+)`).exec(printed)?.[1]))
}

test.each([
  ['0.5', { width: 160, height: 90 }],
  ['2', { width: 640, height: 360 }],
])('at scale %s, every lane draws the same picture of the whole page', async (scale, size) => {
  const files = { 'index.html': page.replace('CANVAS', '') }
  const [raster, ...others] = await Promise.all(
    ['raster', 'begin-frame', 'screenshot'].map(async (lane) =>
      sequence(await projectIn(lane, files), ['--scale', scale]),
    ),
  )
  expect(raster?.images).toHaveLength(12)
  expect(new Set(raster?.images).size).toBe(12)
  for (const { images } of others) expect(images).toEqual(raster?.images)
  const first = join(raster?.output ?? '', 'frame_000000.png')
  expect((await probeMedia(first)).video).toMatchObject([size])
  const corner = await pixelAt(first, size.width - 2, size.height - 2)
  const above = await pixelAt(first, size.width - 2, size.height / 2)
  expect(corner).not.toEqual(above)
})

test('a canvas of the page keeps its own pixels at another scale, in every lane', async () => {
  const canvas = '<canvas width="100" height="40"></canvas>'
  const files = { 'index.html': page.replace('CANVAS', canvas) }
  const auto = await sequence(await projectIn('auto', files), ['--scale', '2'])
  expect((await sequence(await projectIn('screenshot', files), ['--scale', '2'])).images).toEqual(auto.images)
})

test('a range has the frames of the whole render, by any unit of time', async () => {
  const project = here('projects/frame-number')
  const { images: whole } = await sequence(project, ['--to', '2s'])
  expect(whole).toHaveLength(60)
  const cut = whole.slice(15, 45)
  expect((await sequence(project, ['--from', '500ms', '--to', '45f'])).images).toEqual(cut)
  expect((await sequence(project, ['--from', '0:00.5', '--to', '1.5s'])).images).toEqual(cut)
})

test('a range at 30000/1001 frames has exact times, and the sound of exactly these frames', async () => {
  const sound = '<audio src="tone.wav" data-start="0"></audio>'
  const project = await projectOf({
    'index.html': page.replace('CANVAS', sound).replace('data-duration="0.4"', 'data-duration="4"'),
  })
  const { ffmpeg, ffprobe } = await findFfmpeg()
  const tone = 'aevalsrc=if(gte(t\\,1.5)\\,0.5*sin(2*PI*480*t)\\,0):d=4:s=48000'
  await runProcess(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', tone, join(project, 'tone.wav')], undefined)
  const file = join(await scratch(), 'a.mp4')
  const flags = ['--fps', '29.97', '--from', '1001ms', '--to', '3003ms', '--resolution', '160x90', '-q', 'draft']
  const run = await vid(['render', project, '-o', file, ...flags])
  expect(run, run.stderr).toMatchObject({ code: 0 })

  const entries = ['-select_streams', 'v', '-show_entries', 'stream=width,r_frame_rate,avg_frame_rate,nb_frames']
  const shown = await runProcess(ffprobe, ['-v', 'error', ...entries, '-of', 'csv=p=0', file], undefined)
  expect(shown.trim()).toBe('160,30000/1001,30000/1001,60')
  const { audio, duration } = await probeMedia(file)
  expect(duration).toBeCloseTo(2.002, 2)
  expect(audio).toMatchObject([{ start: 0 }])
  const raw = join(await scratch(), 'sound.f32')
  const decode = ['-v', 'error', '-i', file, '-ac', '1', '-f', 'f32le', raw]
  await runProcess(ffmpeg, decode, undefined)
  const samples = new Float32Array((await readFile(raw)).buffer)
  const onset = samples.findIndex((value) => Math.abs(value) > 0.2) / 48_000
  expect(Math.abs(onset - (1.5 - 1.001))).toBeLessThan(0.005)
})

test('a scaled video of the page is the one that the page shows, in every lane', async () => {
  const files = {
    'index.html': `<!doctype html><html><body style="margin:0">
      <div id="root" data-composition-id="v" data-width="320" data-height="180" data-duration="0.5" data-no-timeline>
      <video src="h264.mp4" muted data-start="0" style="width:160px;height:90px;object-fit:cover"></video>
      </div></body></html>`,
  }
  const imagesIn = async (lane: string) => {
    const folder = await projectIn(lane, files)
    await makeSources(folder, ['h264.mp4'])
    return (await sequence(folder, ['--fps', '24000/1001', '--scale', '2'])).images
  }
  const images = await imagesIn('raster')
  expect(new Set(images).size).toBe(12)
  expect(await imagesIn('screenshot')).toEqual(images)
})

test('what does not fit is refused before anything is rendered, with what would fit', async () => {
  const project = here('projects/frame-number')
  const refused = (...flags: string[]) => vid(['render', project, ...flags])
  const shape = await refused('--resolution', '100x100')
  expect(shape.code).toBe(2)
  expect(shape.stderr).toMatch(/VID_SCALE_UNFIT.*\n.*\n?.*96x54 and 112x63/)
  expect(await refused('--from', '9s')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('VID_RANGE_UNFIT'),
  })
  expect(await refused('--fps', '12.5')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('30000/1001'),
  })
  expect(await refused('--scale', '2', '--resolution', '640x360')).toMatchObject({ code: 2 })
})
