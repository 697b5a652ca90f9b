import { expect, test } from 'vitest'
import { rulerLabel, rulerMarks, scrollTo, timelineScale } from './timeline-scale.ts'

const facts = { duration: 10, fps: 30, width: 800 }

test('without zoom everything fits, and with all of it a frame can be aimed at', () => {
  expect(timelineScale(0, facts)).toEqual({ perSecond: 80, width: 800 })
  expect(timelineScale(1, facts).perSecond / facts.fps).toBeCloseTo(24)
})

test('a short composition is never drawn narrower than the view', () => {
  expect(timelineScale(1, { ...facts, duration: 0.1 }).width).toBe(800)
  expect(timelineScale(0, { ...facts, duration: 0 }).width).toBe(800)
})

test('labels of the ruler are round times with room for each', () => {
  expect(rulerMarks(80, 0, 4)).toEqual([0, 1, 2, 3, 4])
  expect(rulerMarks(800, 0, 0.3)).toEqual([0, 0.1, 0.2, 0.3])
  expect(rulerMarks(0.5, 0, 1200)).toEqual([0, 300, 600, 900, 1200])
  expect(rulerMarks(80, 2.5, 4)).toEqual([2, 3, 4])
})

test('a label has seconds with two digits behind its minutes', () => {
  expect([0, 0.5, 12, 60, 902.4, 930, 6000].map(rulerLabel)).toEqual([
    '0 s',
    '0.5 s',
    '12 s',
    '1:00',
    '15:02.4',
    '15:30',
    '1:40:00',
  ])
})

test('a place that moves out of view is scrolled to', () => {
  expect(scrollTo(400, 0, 800)).toBe(0)
  expect(scrollTo(790, 0, 800)).toBe(742)
  expect(scrollTo(100, 300, 800)).toBe(52)
  expect(scrollTo(0, 300, 800)).toBe(0)
})
