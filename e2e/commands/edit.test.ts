import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventProblems } from '../../scripts/dev/event-problems.ts'
import { scratch, vidInProcess as vid } from '../support/vid.ts'

const PAGE = `<!doctype html><meta charset="utf-8">
<style>#title { color: #fff; margin: 0 }</style>
<div id="root" data-composition-id="film" data-width="320" data-height="180" data-duration="2" style="background: #024">
<h1 id="title" data-start="0.5" data-duration="1">Hello</h1>
<p id="note" data-start="title" data-duration="0.25" style="top: 90px; color: #fff">later</p></div>
<script src="https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js"></script>
<script>
  const timeline = gsap.timeline({ paused: true })
  timeline.from('#title', { x: 100, duration: 0.25 }, 0.5)
  window.__timelines = { film: timeline }
</script>`

/** The frames that differ after an edit of the composition, which is then taken back. */
const framesAfter = async (...words: string[]) => {
  const folder = await scratch()
  for (const name of ['before', 'after']) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'index.html'), PAGE)
  }
  const after = join(folder, 'after')
  const edit = await vid(['edit', ...words, '--dir', after, '--json'])
  expect(edit.code, edit.stderr).toBe(0)
  expect(eventProblems(JSON.parse(edit.stdout))).toEqual([])
  const { code, stdout, stderr } = await vid(['diff', join(folder, 'before'), after, '--json'])
  expect(code, stderr).toBe(0)
  const undo = await vid(['edit', 'undo', '--dir', after])
  expect(undo.code, undo.stderr).toBe(0)
  expect(await readFile(join(after, 'index.html'), 'utf8')).toBe(PAGE)
  const { intervals } = JSON.parse(stdout) as { intervals: readonly { start: number; end: number }[] }
  return intervals.map(({ start, end }) => [start, end])
}

test.each([
  ['a text, while it is shown', ['text', '#title', 'Goodbye'], [[15, 45]]],
  ['an end, after it and where the next clip moves', ['trim', '#title', 'end', '-0.5s'], [[30, 53]]],
  [
    'a start, with its animation and the next clip',
    ['move', '#title', '+0.25s'],
    [
      [15, 30],
      [45, 60],
    ],
  ],
  ['a colour in a rule', ['style', '#note', 'color', '#ff0000'], [[45, 53]]],
])('vid edit changes %s, and no other frame', { timeout: 120_000 }, async (_, words, expected) => {
  expect(await framesAfter(...words)).toEqual(expected)
})

test('the two parts of a split show the frames of the whole', { timeout: 120_000 }, async () => {
  expect(await framesAfter('split', '#title', '1s')).toEqual([])
})
