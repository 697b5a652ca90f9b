import { frameCount } from '@vid/protocol'
import { describe, expect, it, test } from 'vitest'
import { parseComposition, resolveStarts } from '../index.ts'

const windowsOf = (body: string) => {
  const html = `<div data-composition-id="main" data-width="16" data-height="16">\n${body}</div>`
  const { scopes, file } = parseComposition(html, { file: 'index.html' })
  return resolveStarts(scopes[0]?.clips ?? [], file).map(({ start, end }) => [start, end])
}
const clip = (id: string, start: string, duration = '2') =>
  `<p id="${id}" data-start="${start}" data-duration="${duration}"></p>\n`

describe('a start', () => {
  it('is in seconds, or an offset from the end of another element', () => {
    const body =
      clip('title', 'intro + 0.5') + clip('intro', '5') + clip('tag', 'title-0.5') + clip('end', 'intro - 0.5')
    expect(() => windowsOf(body)).toThrow('title-0.5')
    expect(windowsOf(body.replace('title-0.5', 'title'))).toEqual([
      [7.5, 9.5],
      [5, 7],
      [9.5, 11.5],
      [6.5, 8.5],
    ])
  })

  it('may name a composition, and an element whose id looks like an expression', () => {
    const host = '<div data-composition-id="intro - 2" data-start="1" data-duration="3"></div>'
    expect(windowsOf(host + clip('a', 'intro - 2'))).toEqual([
      [1, 4],
      [4, 6],
    ])
  })

  it('is never below 0', () => {
    expect(windowsOf(clip('a', '-4') + clip('b', 'a - 10'))).toEqual([
      [0, 2],
      [0, 2],
    ])
  })

  it('supports the absolute end of the older attribute', () => {
    expect(windowsOf(`<p id="a" data-start="1" data-end="4"></p>${clip('b', 'a')}`)).toEqual([
      [1, 4],
      [4, 6],
    ])
  })

  it('may end a chain of any length, in any order', () => {
    const count = 20_000
    const starts = Array.from({ length: count }, (_, index) =>
      clip(`c${index}`, index === count - 1 ? '0' : `c${index + 1}`, '1'),
    )
    expect(windowsOf(starts.join('')).at(0)).toEqual([count - 1, count])
  })

  it('stays unknown after an element whose duration only the page knows', () => {
    expect(windowsOf(`<video id="a" data-start="1"></video>${clip('b', 'a + 1')}`)).toEqual([
      [1, null],
      [null, null],
    ])
  })

  it('that depends on itself is a coded error with element, line and value', () => {
    expect(() => windowsOf(clip('a', 'b') + clip('b', 'c') + clip('c', 'a + 1'))).toThrow(
      expect.objectContaining({
        code: 'VID_COMPOSITION_BAD_START',
        message: 'The data-start="a + 1" of <p id="c"> (index.html:4) depends on itself.',
      }),
    )
  })

  it.each(['intro', '5s', '', 'a + b'])('written as "%s" without such an element is a coded error', (start) => {
    expect(() => windowsOf(clip('a', start) + clip('b', '0'))).toThrow(
      expect.objectContaining({
        code: 'VID_COMPOSITION_BAD_START',
        facts: {
          element: '<p id="a">',
          file: 'index.html',
          line: 2,
          value: start,
          reason: 'unknown',
          known: ['b'],
        },
      }),
    )
  })
})

test('a start without its element names the first of many that there are', () => {
  const others = Array.from({ length: 100 }, (_, index) => clip(`c${index}`, '0'))
  expect(() => windowsOf(clip('a', 'gone') + others.join(''))).toThrow(
    expect.objectContaining({
      facts: expect.objectContaining({ known: Array.from({ length: 20 }, (_, index) => `c${index}`) }),
    }),
  )
})

describe('a frame count', () => {
  it.each([
    [1, 30, 30],
    [2.9999999, 30, 90],
    [1.00003, 30, 30],
    [1.01, 30, 31],
    [1 / 3, 30, 10],
    [0.00001, 30, 1],
  ])('of %d s at %d fps is %d', (duration, fps, frames) => {
    expect(frameCount(duration, fps)).toBe(frames)
  })
})
