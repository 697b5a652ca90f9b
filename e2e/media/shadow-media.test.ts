import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { rendersOfFile } from '../support/renders.ts'
import { amplitude, ffmpeg, readSound } from '../support/sound.ts'
import { scratch } from '../support/vid.ts'

const render = rendersOfFile()

const MEDIA = `<video src="clip.mp4" data-start="0.2" data-duration="1" style="width:160px;height:40px;display:block"></video>
  <p data-start="0.5" data-duration="0.3" style="width:40px;height:40px;margin:0;background:#fc0"></p>`

const page = (content: string) =>
  `<!doctype html><html><body style="margin:0;background:#fff"><div data-composition-id="main" data-width="160" data-height="90" data-duration="1.4">
  <div style="position:absolute;left:0;top:0">${content}</div></div></body></html>`

/** Ways to put the same elements into the page. */
const WAYS = {
  light: MEDIA,
  declared: `<template shadowrootmode="open">${MEDIA}</template>`,
  nested: `<template shadowrootmode="open"><section><template shadowrootmode="open">${MEDIA}</template></section></template>`,
  slotted: `<template shadowrootmode="open"><slot></slot></template>${MEDIA}`,
  attached: `<script>document.currentScript.parentElement.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(MEDIA)}</script>`,
}

test('videos, their sound and clips in open shadow trees are those of the same elements outside', async () => {
  const clip = join(await scratch(), 'clip.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=160x40:r=30:d=1']
  await ffmpeg([
    ...picture,
    '-f',
    'lavfi',
    '-i',
    'sine=600:d=1',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    clip,
  ])
  const rendered = async (content: string) => {
    const projectDir = join(await scratch(), 'film')
    await mkdir(projectDir)
    await writeFile(join(projectDir, 'index.html'), page(content))
    await ffmpeg(['-i', clip, '-c', 'copy', join(projectDir, 'clip.mp4')])
    const output = join(projectDir, 'film.mp4')
    const { warned } = await render({ projectDir, output, workers: 1 })
    const [left] = await readSound(output)
    return { frames: await frameHashes(output), tone: amplitude(left, 600), warned }
  }
  const expected = await rendered(WAYS.light)
  expect(new Set(expected.frames).size).toBeGreaterThan(25)
  expect(expected.tone).toBeGreaterThan(0.05)
  for (const [way, content] of Object.entries(WAYS)) expect(await rendered(content), way).toEqual(expected)
})
