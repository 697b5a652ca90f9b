import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { colourFrames } from '../support/colours.ts'
import { COLOURS, makeSources } from '../support/sources.ts'
import { here, vidInProcess as vid } from '../support/vid.ts'
import { box, compare, projectOf, within } from '../support/ways.ts'

/** Named by a `<meta>` alone, with clips that only HyperFrames shows, and a timeline of anime.js. */
const INDEX = `<!doctype html>
<html><head>
<meta data-composition-id="film" data-width="320" data-height="180" data-duration="1.5">
<script src="https://cdn.jsdelivr.net/npm/animejs@4.5.0/dist/bundles/anime.umd.min.js"></script>
<style>
  body { margin: 0 }
  #stage { position: relative; width: 320px; height: 180px; background: #000 }
  .clip { position: absolute; visibility: hidden }
  #first { left: 0; top: 60px; width: 40px; height: 40px; background: #ff0000 }
  #moved { position: absolute; left: 200px; top: 0; width: 20px; height: 20px; background: #ffffff; opacity: 0 }
</style></head><body>
<div id="stage">
  <div id="first" class="clip" data-start="0" data-duration="0.5"></div>
  <div data-composition-src="parts/scene.html" data-start="0.5" data-duration="1"></div>
  <div id="moved"></div>
</div>
<script>
  const tl = anime.createTimeline({ autoplay: false })
  tl.add('#moved', { opacity: 1, duration: 0 }, 500)
  hyperframesAnime.register('film', tl, { labels: { seen: 0.5 } })
</script></body></html>`

/** Its video begins with it, and shows the second second of the source. */
const SCENE = `<template><div data-composition-id="scene" data-width="100" data-height="40">
<video class="clip" src="assets/h264.mp4" data-start="0" data-duration="1" data-media-start="1" muted
  style="left: 100px; top: 120px; width: 64px; height: 36px"></video>
</div></template>`

test('a project of HyperFrames is imported, and shows the same without a change by hand', async () => {
  const old = await projectOf({ 'index.html': INDEX, 'parts/scene.html': SCENE })
  await mkdir(join(old, 'assets'))
  await makeSources(join(old, 'assets'), ['h264.mp4'])
  const folder = join(old, '..', 'new')
  const imported = await vid(['import', 'hyperframes', old, folder])
  expect(imported, imported.stderr).toMatchObject({ code: 0 })
  expect(imported.stderr).toContain('nothing is left to do')
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  const output = join(folder, 'film.mp4')
  const run = await vid(['render', folder, '-o', output, '--crf', '0', '--strict'])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const frames = await colourFrames(output)
  expect(frames).toHaveLength(45)
  const above = (t: number) => [
    ...(within(t, 0, 0.5) ? [box(0, 60, 40, 40, '#ff0000')] : []),
    ...(within(t, 0.5) ? [box(200, 0, 20, 20, '#ffffff')] : []),
  ]
  expect(compare(frames, above, 118)).toEqual([])
  // A point of the video, below the number of the frame that the source draws.
  const colourAt = (frame: number) => [
    ...(frames[frame]?.subarray((150 * 320 + 130) * 3, (150 * 320 + 130) * 3 + 3) ?? []),
  ]
  expect(colourAt(10)).toEqual([0, 0, 0])
  for (const frame of [15, 30, 44])
    expect(Math.max(...colourAt(frame).map((part, index) => Math.abs(part - (COLOURS[1][index] ?? 0))))).toBeLessThan(
      16,
    )
})
