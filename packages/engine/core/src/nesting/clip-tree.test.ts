import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readClipTree } from './clip-tree.ts'

const projectOf = async (files: Readonly<Record<string, string>>) => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-clips-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

test('clips are found with the file and line that they stand in, also those of embedded files', async () => {
  const html = `<div data-composition-id="main" data-width="64" data-height="64">
    <video id="talk" data-start="1" data-duration="4"><source src="talk.mp4"></video>
    <div data-composition-id="scene" data-composition-src="scene.html" data-start="talk + 1" data-duration="3"></div>
  </div>`
  const scene = `<template>
    <div data-composition-id="scene">
      <p id="title" data-start="0.5" data-duration="1" data-track-index="2"></p>
    </div></template>`
  const folder = await projectOf({ 'index.html': html, 'scene.html': scene })
  const [talk, host] = await readClipTree(folder, { file: 'index.html', html })
  expect(talk).toMatchObject({ file: 'index.html', line: 2, absoluteStart: 1, duration: 4, src: 'talk.mp4' })
  expect(host).toMatchObject({ line: 3, absoluteStart: 6, embeds: 'scene.html', names: ['scene'] })
  expect(host?.clips).toMatchObject([
    { file: 'scene.html', line: 3, absoluteStart: 6.5, track: 2, names: ['title'], clips: [] },
  ])
})

test('a file that embeds itself, or is not there, is a clip without clips', async () => {
  const html = `<div data-composition-id="main" data-width="64" data-height="64">
    <div data-composition-src="index.html" data-start="0"></div>
    <div data-composition-src="gone.html" data-start="2"></div>
  </div>`
  const folder = await projectOf({ 'index.html': html })
  const clips = await readClipTree(folder, { file: 'index.html', html })
  expect(clips.map(({ embeds, clips }) => [embeds, clips.length])).toEqual([
    [null, 0],
    [null, 0],
  ])
})

test('media are named by their path in the project, as the page finds them', async () => {
  const clip = (src: string) => `<audio data-start="0" src="${src}"></audio>`
  const html = `<div data-composition-id="main" data-width="64" data-height="64">
    ${clip('tone.wav')}${clip('../a%20b.wav?x')}${clip('/tone.wav')}${clip('https://example.com/a.wav')}
    <div data-composition-src="scene.html" data-start="0"></div></div>`
  const folder = await projectOf({
    'tone.wav': 'other',
    'scene.html': `<template>${clip('tone.wav')}</template>`,
  })
  await mkdir(join(folder, 'films'))
  await writeFile(join(folder, 'films/tone.wav'), '')
  const clips = await readClipTree(folder, { file: 'films/main.html', html })
  expect(clips.map(({ src }) => src)).toEqual([
    'films/tone.wav',
    'a b.wav',
    'tone.wav',
    'https://example.com/a.wav',
    null,
  ])
})
