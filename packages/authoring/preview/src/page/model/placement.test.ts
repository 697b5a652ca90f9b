import { expect, test } from 'vitest'
import { alignDrag, draggedRect, guideLinesOf, placedStyles, placementOf } from './placement.ts'

const style = (text: string) =>
  text.split(';').map((declaration) => {
    const [property = '', value = ''] = declaration.split(':')
    return { property: property.trim(), value: value.trim(), from: 'inline' }
  })

test('the source places an element by pixels of its sides, and nothing else counts', () => {
  expect(placementOf(style('position: absolute; left: 20px; bottom: -4.5px; width: 50%; height: 0'))).toEqual({
    x: { property: 'left', value: 20 },
    y: { property: 'bottom', value: -4.5 },
    width: null,
    height: { property: 'height', value: 0 },
  })
  expect(placementOf(style('left: 20px; top: 3px'))).toMatchObject({ x: null, y: null })
  expect(placementOf(style('position: absolute; left: 2em; inset: 0'))).toMatchObject({ x: null, y: null })
})

test('moving changes the sides that are stated, from the right in the other direction', () => {
  const placement = placementOf(style('position: absolute; right: 80px; top: 10px'))
  expect(placedStyles(placement, { x: 12, y: -3 }, null)).toEqual({ right: '68px', top: '7px' })
  expect(placedStyles(placement, { x: 12, y: 0 }, null)).toEqual({ right: '68px' })
})

test('resizing at a handle keeps the other side where it is', () => {
  const placement = placementOf(style('position: absolute; left: 10px; bottom: 20px; width: 100px; height: 50px'))
  expect(placedStyles(placement, { x: 5, y: 5 }, { x: 1, y: 1 })).toEqual({
    width: '105px',
    height: '55px',
    bottom: '15px',
  })
  expect(placedStyles(placement, { x: 5, y: 5 }, { x: -1, y: -1 })).toEqual({
    width: '95px',
    left: '15px',
    height: '45px',
  })
  expect(draggedRect({ x: 10, y: 0, width: 100, height: 50 }, { x: 5, y: 5 }, { x: -1, y: 0 })).toEqual({
    x: 15,
    y: 0,
    width: 95,
    height: 50,
  })
})

test('an edge or the middle that is near a line is put on it', () => {
  const lines = guideLinesOf([{ x: 0, y: 0, width: 320, height: 180 }])
  const rect = { x: 20, y: 20, width: 40, height: 40 }
  const rules = { lines, reach: 4 }
  expect(alignDrag(rect, { x: 118, y: 7.4 }, null, rules)).toEqual({ x: 120, y: 7, guides: [{ axis: 'x', at: 160 }] })
  expect(alignDrag(rect, { x: 9, y: -18 }, { x: 1, y: -1 }, rules)).toEqual({
    x: 9,
    y: -20,
    guides: [{ axis: 'y', at: 0 }],
  })
})
