import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrames } from '@vid/ffmpeg'
import { type Painter, scratchFolder, shootVideo } from '@vid/testkit'
import { expect, test } from 'vitest'
import { longTest } from '../../../scripts/dev/part-of.ts'
import hls from './index.ts'

/** The grey of the first frame of each segment of 6 frames, and black in the frames after it. */
const greyAt = (index: number) => 60 + Math.floor(index / 6) * 15

const paint: Painter = (index, data) => {
  data.fill(index % 6 === 0 ? greyAt(index) : 0)
  for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 255
}

test('the storyboard shows the first picture of each media segment where its times say', async () => {
  const segments = Array.from({ length: 12 }, () => 6)
  const request = { quality: 'high' } as const
  const shot = { segments, paint, request, width: 320, height: 240 }
  const { file } = await shootVideo(hls({ ladder: [120] }), await scratchFolder(), shot)
  const times = await readFile(join(file, 'storyboard.vtt'), 'utf8')
  expect(times.split('\n\n').slice(0, 3)).toEqual([
    'WEBVTT',
    '00:00:00.000 --> 00:00:00.200\nstoryboard-0.jpg#xywh=0,0,160,120',
    '00:00:00.200 --> 00:00:00.400\nstoryboard-0.jpg#xywh=160,0,160,120',
  ])
  expect(times).toContain('00:00:02.200 --> 00:00:02.400\nstoryboard-0.jpg#xywh=160,120,160,120')
  const sheets: Uint8Array[] = []
  for await (const pixels of decodeFrames(join(file, 'storyboard-0.jpg'), { pixFmt: 'gray' })) sheets.push(pixels)
  const [sheet] = sheets
  expect(sheet).toHaveLength(1600 * 240)
  const greys = segments.map((_, tile) => {
    const [left, top] = [(tile % 10) * 160 + 80, Math.floor(tile / 10) * 120 + 60]
    return Math.abs((sheet?.[top * 1600 + left] ?? Number.NaN) - greyAt(tile * 6))
  })
  for (const difference of greys) expect(difference).toBeLessThan(6)
})

longTest('a hundred pictures are on a sheet, and the rest on the next', async () => {
  const segments = Array.from({ length: 103 }, () => 1)
  const request = { quality: 'draft' } as const
  const { file } = await shootVideo(hls(), await scratchFolder(), { segments, request })
  const times = await readFile(join(file, 'storyboard.vtt'), 'utf8')
  expect(times.trim().split('\n').at(-1)).toBe('storyboard-1.jpg#xywh=128,0,64,48')
  const sizes = []
  for (const name of ['storyboard-0.jpg', 'storyboard-1.jpg'])
    for await (const pixels of decodeFrames(join(file, name), { pixFmt: 'gray' })) sizes.push(pixels.length)
  expect(sizes).toEqual([640 * 480, 640 * 480])
})
