import { expect, test } from 'vitest'
import { compositionOf, makeProject, toneOf, useRenderer } from '../fixtures/projects.ts'
import { findStates } from './find-states.ts'

const renderer = useRenderer()
const { signal } = new AbortController()
const statesOf = async (html: string, files: Readonly<Record<string, Uint8Array>> = {}) =>
  findStates(renderer(), { projectDir: await makeProject({ 'index.html': html, ...files }) }, { signal })

test('a composition is divided into what stands and what moves, to the frame', async () => {
  const composition = compositionOf(
    `<h1 id="title" data-start="1" data-duration="2">Title</h1>
     <i id="bar" style="position:absolute;left:0;top:120px;width:40px;height:40px;background:#fc0"></i>`,
    { style: '@keyframes slide { to { transform: translateX(200px) } } #bar { animation: slide 0.5s 2s linear both }' },
  )
  const { states, moments, changes, frames } = await statesOf(composition)
  expect(frames).toBe(120)
  expect(states).toEqual([
    { start: 0, end: 30, isMoving: false, frame: 0 },
    { start: 30, end: 61, isMoving: false, frame: 30 },
    { start: 61, end: 75, isMoving: true, frame: 68 },
    { start: 75, end: 90, isMoving: false, frame: 75 },
    { start: 90, end: 120, isMoving: false, frame: 90 },
  ])
  expect(changes).toEqual([0, 30, ...Array.from({ length: 15 }, (_, index) => 61 + index), 90])
  expect(moments.map(({ frame, causes }) => [frame, causes.map(({ cause, what }) => `${cause} ${what}`)])).toEqual([
    [30, ['clip-start title']],
    [60, ['animation-start #bar']],
    [75, ['animation-end #bar']],
    [90, ['clip-end title']],
  ])
})

test('a moving composition is divided where something begins, and a picture that returns is recognized', async () => {
  const composition = compositionOf(`<i id="spinner"></i><b id="one" data-start="0.5" data-duration="0.5">one</b>`, {
    seconds: 2,
    style: `@keyframes spin { to { transform: rotate(360deg) } }
        #spinner { position:absolute;left:200px;top:60px;width:60px;height:60px;background:#f30;animation: spin 1.5s linear }
        #spinner { animation-fill-mode: both }`,
  })
  const { states } = await statesOf(composition)
  expect(states.map(({ start, end, isMoving }) => [start, end, isMoving])).toEqual([
    [0, 15, true],
    [15, 30, true],
    [30, 45, true],
    [45, 60, false],
  ])
  const returning = compositionOf('<b data-start="1" data-duration="1">now</b>', { seconds: 3 })
  expect((await statesOf(returning)).states.map(({ sameAs }) => sameAs)).toEqual([undefined, undefined, 0])
})

test('a page that depends on its earlier frames is stepped from its start', async () => {
  const composition = compositionOf(
    `<b id="count">0</b><script>
      let count = 0
      setInterval(() => { document.getElementById('count').textContent = String(++count) }, 500)
    </script>`,
    { seconds: 2 },
  )
  const { changes } = await statesOf(composition)
  expect(changes).toEqual([0, 15, 30, 45])
})

test('a sound that begins is a moment, and what is heard is measured', async () => {
  const composition = compositionOf('<audio src="tone.wav" data-start="1"></audio>')
  const { moments, sound } = await statesOf(composition, { 'tone.wav': toneOf(2, (time) => time > 0.5) })
  expect(moments).toContainEqual({ frame: 45, causes: [{ cause: 'sound-onset' }] })
  expect(sound?.onsets).toEqual([1.5])
  expect(sound?.silent).toEqual([
    { start: 0, end: 1.5 },
    { start: 3, end: 4 },
  ])
  // A sine of 1 kHz at -12 dB of full scale on both channels; blocks at its ends hold silence too.
  expect(sound?.integrated).toBeCloseTo(-12.8, 1)
  expect(sound?.peak).toBeCloseTo(-12.04, 1)
})
