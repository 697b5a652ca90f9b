import { expect, test } from 'vitest'
import { spreadStills, stillsAt } from './still-frames.ts'

const length = { frames: 90, fps: 30, duration: 3 }
const framesAt = (times: string) => stillsAt(times, length).map(({ frame }) => frame)

test('a time selects the frame that shows it, the very end the last frame', () => {
  expect(framesAt('0,0.04s,0.1s,1s,2.999s,3s')).toEqual([0, 1, 3, 30, 89, 89])
  expect(framesAt('0%,50%,33.4%,100%')).toEqual([0, 45, 30, 89])
})

test('files are named by the times, without duplicates', () => {
  expect(stillsAt('1, 1s,2.5s ,50%', length).map(({ name }) => name)).toEqual([
    'snapshot_1s',
    'snapshot_2.5s',
    'snapshot_50pct',
  ])
})

test.each(['3.1s', '101%', '1s,99'])('%s is past the end', (times) => {
  expect(() => stillsAt(times, length)).toThrow(expect.objectContaining({ code: 'VID_SNAPSHOT_TIME', fault: 'caller' }))
})

test.each(['', 'abc', 'NaN', '-1s', '1s,,2s', '1s,', '1e1'])('"%s" is refused as no list of times', (times) => {
  expect(() => stillsAt(times, length)).toThrow(
    expect.objectContaining({ code: 'VID_SNAPSHOT_TIMES', fault: 'caller' }),
  )
})

test('spread stills are the middle frames of equal parts', () => {
  expect(spreadStills(1, length)).toEqual([{ frame: 45, name: 'snapshot_1' }])
  expect(spreadStills(3, length).map(({ frame }) => frame)).toEqual([15, 45, 75])
  expect(spreadStills(12, length).at(0)?.name).toBe('snapshot_01')
  expect(spreadStills(90, length).map(({ frame }) => frame)).toEqual([...Array(90).keys()])
})

test('more stills than frames are refused', () => {
  expect(() => spreadStills(91, length)).toThrow(expect.objectContaining({ code: 'VID_SNAPSHOT_FRAMES' }))
})
