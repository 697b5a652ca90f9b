import type { TreeClip } from '@vid/core'
import type { PlayerClip } from '@vid/runtime'
import { expect, test } from 'vitest'
import { motionRows, timelineRows } from './clip-rows.ts'

const clip = (name: string, start: number, end: number | null, more: Partial<PlayerClip> = {}): PlayerClip => ({
  kind: 'element',
  id: name,
  tag: 'div',
  index: 0,
  name,
  track: 0,
  start,
  end,
  mediaId: null,
  clips: [],
  ...more,
})

const source = (name: string, line: number, more: Partial<TreeClip> = {}): TreeClip => ({
  element: `<div id="${name}">`,
  tag: 'div',
  names: [name],
  file: 'index.html',
  line,
  start: '0',
  duration: 1,
  absoluteStart: 0,
  track: 0,
  src: null,
  embeds: null,
  clips: [],
  ...more,
})

const rowsOf = (clips: readonly PlayerClip[], sources: readonly TreeClip[] = [], unfolded: readonly string[] = []) =>
  timelineRows(clips, sources, { duration: 10, openClips: new Set(unfolded) })

const labels = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(({ clips }) => clips.map(({ name, start, end }) => `${name} ${start}–${end}`))

test('clips of a track share a row in the order of time, and tracks come by their number', () => {
  const clips = [clip('c', 4, 5), clip('a', 0, 2), clip('b', 2, 4), clip('d', 0, null, { track: -1 })]
  expect(labels(rowsOf(clips))).toEqual([['d 0–10'], ['a 0–2', 'b 2–4', 'c 4–5']])
})

test('clips of a track that overlap are drawn in rows of their own', () => {
  expect(labels(rowsOf([clip('a', 0, 3), clip('b', 2, 4), clip('c', 3, 5)]))).toEqual([['a 0–3', 'c 3–5'], ['b 2–4']])
})

test('a clip knows where it is written by its name, and without one by its place among those of its tag', () => {
  const clips = [
    clip('', 0, 1, { tag: 'img', name: 'img' }),
    clip('b', 1, 2),
    clip('', 2, 3, { tag: 'img', name: 'img' }),
  ]
  const sources = [source('', 4, { tag: 'img', names: [] }), source('', 6, { tag: 'img', names: [] }), source('b', 5)]
  const [row] = rowsOf(clips, sources)
  expect(row?.clips.map((entry) => entry.source?.line)).toEqual([4, 5, 6])
})

test('the clips of an embedded composition are below it once it is unfolded, with the file that states them', () => {
  const clips = [
    clip('card', 2, 6, { kind: 'composition', clips: [clip('inner', 3, 4)] }),
    clip('z', 0, 1, { track: 9 }),
  ]
  const sources = [source('card', 3, { clips: [source('inner', 7, { file: 'card.html' })] })]
  expect(rowsOf(clips, sources).map(({ label }) => label)).toEqual(['card', 'z'])
  const [card, inner] = rowsOf(clips, sources, ['/card'])
  expect(card?.clips[0]?.hasClips).toBe(true)
  expect(inner).toMatchObject({ depth: 1, label: 'inner' })
  expect(inner?.clips[0]?.source).toMatchObject({ file: 'card.html', line: 7 })
})

test('animations of one kind of element are one row, in which overlapping ones are one bar', () => {
  const motion = (target: string, start: number, end: number | null) => ({
    target,
    kind: 'css' as const,
    name: 'show',
    properties: ['opacity'],
    start,
    end,
  })
  const rows = motionRows(
    [motion('.word', 0, 1), motion('.word', 0.5, 1.5), motion('#dot', 1, null), motion('.word', 2, 3)],
    4,
  )
  expect(rows.map(({ label, clips }) => [label, clips.map(({ start, end }) => [start, end])])).toEqual([
    [
      '.word',
      [
        [0, 1.5],
        [2, 3],
      ],
    ],
    ['#dot', [[1, 4]]],
  ])
})
