import { eventProblems } from '@vid/protocol'
import { expect, test } from 'vitest'
import { analysisEvents } from '../events.ts'
import { compositionOf, makeProject, toneOf, useRenderer } from '../fixtures/projects.ts'
import { readTimeline } from './read-timeline.ts'
import { soundText, timelineText } from './timeline-text.ts'

const renderer = useRenderer()
const { signal } = new AbortController()

const DECLARED = `data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Hello"}]'`

const TWO_SCENES = `<!doctype html><html ${DECLARED}><head><meta charset="utf-8"><style>
@keyframes rise { from { transform: translateY(20px); opacity: 0 } }
#title { animation: rise 0.5s 0.25s both }
</style>
<script src="https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js"></script></head>
<body><div id="root" data-composition-id="film" data-width="320" data-height="180" data-duration="8">
<h1 id="title" data-start="1" data-duration="2" data-var-text="title">x</h1>
<p id="after" data-start="title + 0.5" data-duration="1" data-track-index="1">after</p>
<div id="card" data-composition-src="card.html" data-start="4" data-duration="3"></div>
<audio src="tone.wav" data-start="5" data-duration="2" data-volume="0:0.5, 1:0.25" data-pan="-0.5"></audio>
<script>
const line = gsap.timeline({ paused: true })
line.to('#after', { x: 40, duration: 0.5 }, 3.5)
window.__timelines.film = line
document.getElementById('after').animate([{ color: 'red' }, { color: 'blue' }], { duration: 400 })
</script></div></body></html>`

const CARD = `<template><div data-composition-id="card" data-width="100" data-height="100" data-duration="3">
<b id="inner" data-start="1" data-duration="1">inner</b></div></template>`

test('a timeline has clips with places, media, variables with uses, animations and sound', async () => {
  const projectDir = await makeProject({
    'index.html': TWO_SCENES,
    'card.html': CARD,
    'tone.wav': toneOf(2, () => true),
  })
  const composition = await readTimeline(renderer(), { projectDir, at: '1.5s' }, { signal })
  expect(eventProblems({ type: 'timeline', ...composition }, analysisEvents)).toEqual([])
  expect(composition).toMatchObject({ id: 'film', width: 320, height: 180, frames: 240, duration: 8 })
  expect(
    composition.clips.map(({ name, depth, file, line, written, start, end, track }) => [
      name,
      depth,
      file,
      line,
      written,
      start,
      end,
      track,
    ]),
  ).toEqual([
    ['title', 0, 'index.html', 7, '1', 1, 3, 0],
    ['after', 0, 'index.html', 8, 'title + 0.5', 3.5, 4.5, 1],
    ['card', 0, 'index.html', 9, '4', 4, 7, 0],
    ['inner', 1, 'card.html', 2, '1', 5, 6, 0],
    ['tone.wav', 0, 'index.html', 10, '5', 5, 7, 0],
  ])
  expect(composition.media).toEqual([
    expect.objectContaining({ kind: 'audio', src: 'tone.wav', start: 5, end: 7, mediaStart: 0 }),
  ])
  expect(composition.media).toMatchObject([{ volume: 0.5, volumeRange: { min: 0.25, max: 0.5 }, pan: -0.5 }])
  expect(timelineText(composition).join('\n')).toContain('volume 0.25 to 0.5 over time, pan -0.5')
  expect(composition.variables).toMatchObject([
    { id: 'title', value: 'Hello', uses: [{ file: 'index.html', line: 7, how: 'data-var-text' }] },
  ])
  expect(composition.motions).toEqual([
    { target: '#title', kind: 'css', name: 'rise', properties: ['opacity', 'transform'], start: 1.25, end: 1.75 },
    { target: '#after', kind: 'waapi', name: 'animate()', properties: ['color'], start: 3.5, end: 3.9 },
    { target: '#after', kind: 'gsap', name: 'GSAP', properties: ['x'], start: 3.5, end: 4 },
  ])
  expect(composition.sound?.onsets).toEqual([5])
  expect(composition.shown?.boxes).toMatchObject([{ selector: '#title', text: 'Hello' }])
  const text = timelineText(composition)
  expect(Math.max(...text.map(({ length }) => length))).toBeLessThanOrEqual(80)
  expect(text.join('\n')).toContain('start "title + 0.5"')
  expect(text.join('\n')).toMatch(/after +·+█+·+ 3\.5–4\.5 +index\.html:8/)
})

test('animations of anime.js are listed with what they change', async () => {
  const composition = compositionOf(
    `<b id="dot">dot</b><script src="https://cdn.jsdelivr.net/npm/animejs@4/lib/anime.iife.min.js"></script>
     <script>anime.animate('#dot', { translateX: 100, opacity: 0.5, duration: 1000, delay: 500 })</script>`,
  )
  const { motions } = await readTimeline(
    renderer(),
    { projectDir: await makeProject({ 'index.html': composition }) },
    { signal },
  )
  expect(motions).toMatchObject([
    { target: '#dot', kind: 'anime', properties: ['translateX', 'opacity'], start: 0.5, end: 1.5 },
  ])
})

test('the sound alone has its levels, by ITU-R BS.1770, all onsets, and where it is silent', async () => {
  const composition = compositionOf('<audio src="tone.wav" data-start="0" data-duration="8"></audio>', { seconds: 8 })
  // A tone of 1 kHz with a peak of -12 dB on both sides has -12 LUFS, since its two channels add up.
  const tone = toneOf(8, (seconds) => seconds < 4 || (seconds > 5 && seconds % 0.25 < 0.125))
  const timeline = await readTimeline(
    renderer(),
    { projectDir: await makeProject({ 'index.html': composition, 'tone.wav': tone }) },
    { signal },
  )
  expect(timeline.sound?.shortTerm).toBeCloseTo(-12, 0)
  expect(timeline.sound?.truePeak).toBeCloseTo(-12, 0)
  const text = soundText(timeline)
  expect(text[1]).toMatch(/^ {2}-1[23]\.\d LUFS integrated, -1[12]\.\d in the loudest 3 s, true peak -1[12]\.\d dB$/)
  expect(text.join(' ')).toMatch(/onsets at 0, 5, 5\.25, .* 7\.75 s/)
  expect(text.join('\n')).toMatch(/ {2}silent +·+░+·+ 4–5/)
  expect(Math.max(...text.map(({ length }) => length))).toBeLessThanOrEqual(80)
})

test('the loudness of a config is that of the composition that is looked at', async () => {
  const composition = compositionOf('<audio src="tone.wav" data-start="0" data-duration="2"></audio>', { seconds: 2 })
  const config = JSON.stringify({ render: { loudness: -20 } })
  const files = { 'index.html': composition, 'tone.wav': toneOf(2, () => true), 'vid.config.json': config }
  const { sound } = await readTimeline(renderer(), { projectDir: await makeProject(files) }, { signal })
  expect(sound?.integrated).toBeCloseTo(-20, 1)
})
