import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brightMiddle, greyFrames } from '../support/pixels.ts'
import { rendersOfFile } from '../support/renders.ts'
import { ffmpeg } from '../support/sound.ts'
import { projectOf } from '../support/ways.ts'

const render = rendersOfFile()

/** A bar that moves by 4 pixels in each of 60 frames. */
const BAR =
  '-f lavfi -i color=black:s=320x80:d=2:r=30 -f lavfi -i color=white:s=8x80:d=2:r=30 -filter_complex [0][1]overlay=x=n*4:eval=frame,format=yuv420p'.split(
    ' ',
  )

const CLIPS = {
  'h264.avi': ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2'],
  'xvid.avi': ['-c:v', 'mpeg4', '-bf', '2', '-q:v', '3'],
  'camcorder.mpg': ['-c:v', 'mpeg2video', '-q:v', '3', '-f', 'mpeg'],
  'dvd.vob': ['-c:v', 'mpeg2video', '-bf', '2', '-q:v', '3', '-f', 'vob'],
  'bare.m2v': ['-c:v', 'mpeg2video', '-bf', '2', '-q:v', '3', '-f', 'mpeg2video'],
}
const names = Object.keys(CLIPS)

const page = `<!doctype html><html><body>
<div id="root" data-composition-id="main" data-width="320" data-height="${names.length * 80}" data-duration="2" style="background:#000">
${names.map((name, row) => `<video src="${name}" data-start="0" data-duration="2" data-track-index="${row}" muted style="position:absolute;left:0;top:${row * 80}px;width:320px;height:80px"></video>`).join('\n')}
</div></body></html>`

test('videos whose packets have no time stamps show the frames that ffmpeg decodes', async () => {
  const projectDir = await projectOf({ 'index.html': page })
  for (const [name, codec] of Object.entries(CLIPS)) await ffmpeg([...BAR, ...codec, join(projectDir, name)])
  const output = join(projectDir, 'out.mp4')
  const { warned } = await render({ projectDir, output, fps: 30, crf: 8 })
  const frames = await greyFrames(output)
  expect(frames).toHaveLength(60)
  for (const [row, name] of names.entries()) {
    const decoded = (await greyFrames(join(projectDir, name))).map((frame) => brightMiddle(frame, 40))
    expect(decoded).toHaveLength(60)
    const shown = frames.map((frame) => brightMiddle(frame, row * 80 + 40))
    const wrong = shown.flatMap((middle, nth) => (Math.abs(middle - (decoded[nth] ?? -1)) > 1 ? [nth] : []))
    expect(wrong, name).toEqual([])
  }
  expect(warned.match(/VID_MEDIA_UNTIMED: \S+/g)).toEqual(['VID_MEDIA_UNTIMED: bare.m2v'])
})
