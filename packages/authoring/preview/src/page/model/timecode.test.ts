import { expect, test } from 'vitest'
import { formatFrame, formatSeconds, parseFrame, parseTime } from './timecode.ts'

const base = { fps: 30, frames: 300 }

test('a time has minutes, seconds and thousandths, and hours when there are some', () => {
  expect(formatSeconds(0)).toBe('00:00.000')
  expect(formatSeconds(62.5)).toBe('01:02.500')
  expect(formatSeconds(3661.0004)).toBe('1:01:01.000')
  expect(formatFrame(1, '30000/1001')).toBe('00:00.033')
})

test('every time that is shown means the frame that it was made of', () => {
  for (const fps of [24, 30, 60, '30000/1001', '60000/1001'])
    for (let frame = 0; frame < 5000; frame += 7) {
      const text = formatFrame(frame, fps)
      expect(parseTime(text, 0, { fps, frames: 5000 }), `${text} at ${fps}`).toBe(frame)
    }
})

test('a typed time may be seconds, frames, a part, a clock time, or count from the shown frame', () => {
  const typed = { '2.5': 75, '2s': 60, '500ms': 15, '60f': 60, '50%': 150, '0:03': 90, '0:00:04': 120 }
  for (const [text, frame] of Object.entries(typed)) expect(parseTime(text, 10, base), text).toBe(frame)
  expect(parseTime('+1s', 10, base)).toBe(40)
  expect(parseTime(' -5f ', 10, base)).toBe(5)
})

test('a time outside the composition is the nearest frame in it, and other texts are none', () => {
  expect(parseTime('1:00', 0, base)).toBe(299)
  expect(parseTime('-10s', 15, base)).toBe(0)
  for (const text of ['', 'soon', '1:2:3:4', '--1', '1e3']) expect(parseTime(text, 0, base), text).toBeUndefined()
})

test('a typed frame is a number, or counts from the shown one', () => {
  expect(parseFrame('12', 5, 300)).toBe(12)
  expect(parseFrame('+12', 5, 300)).toBe(17)
  expect(parseFrame('-12', 5, 300)).toBe(0)
  expect(parseFrame('9999', 5, 300)).toBe(299)
  for (const text of ['', '1.5', 'x']) expect(parseFrame(text, 5, 300), text).toBeUndefined()
})
