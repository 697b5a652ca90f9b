import { expect, test } from 'vitest'
import { patchOf } from './patches.ts'

const times = { element: '<p id="a">', start: 1, end: 3 }
const target = 'index.html#a'

test('times, texts and styles of an element are shown at once', () => {
  expect(patchOf({ op: 'move', target, to: 1.5 }, times)).toEqual({ id: 'a', attributes: { 'data-start': '1.5' } })
  expect(patchOf({ op: 'move', target, by: -0.3 }, times)).toEqual({ id: 'a', attributes: { 'data-start': '0.7' } })
  expect(patchOf({ op: 'trim', target, edge: 'end', to: 2.2 }, times)).toEqual({
    id: 'a',
    attributes: { 'data-duration': '1.2' },
  })
  expect(patchOf({ op: 'trim', target, edge: 'start', to: 2 }, times)).toEqual({
    id: 'a',
    attributes: { 'data-start': '2', 'data-duration': '1' },
  })
  expect(patchOf({ op: 'text', target, text: 'Hi' }, undefined)).toEqual({ id: 'a', text: 'Hi' })
  expect(patchOf({ op: 'style', target, property: 'color', value: 'red' }, undefined)).toEqual({
    id: 'a',
    styles: { color: 'red' },
  })
})

test('what more than the element depends on waits for the page', () => {
  const place = { file: 'index.html', path: 'html/body/p', digest: '0'.repeat(64) }
  expect(patchOf({ op: 'move', target: place, to: 1 }, times)).toBeUndefined()
  expect(patchOf({ op: 'move', target, to: 1 }, { ...times, element: '<video id="a">' })).toBeUndefined()
  expect(patchOf({ op: 'move', target, to: 1 }, { ...times, end: null })).toBeUndefined()
  expect(patchOf({ op: 'split', target, at: 2 }, times)).toBeUndefined()
  expect(patchOf({ op: 'style', target, property: 'color', value: null }, times)).toBeUndefined()
})
