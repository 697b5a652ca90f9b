import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { liveProgress, plainProgress } from './progress.ts'
import { createStageTimes } from './stage-times.ts'

const event = (stage: 'plan' | 'render', progress: number, framesRendered: number) => ({
  type: 'render-progress' as const,
  renderId: 'r',
  stage,
  progress,
  framesRendered,
  totalFrames: 200,
})

/** All that was written: newer versions of Node read a chunk at a time. */
const writtenTo = (stream: PassThrough): string => {
  const chunks: Buffer[] = []
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const drawnOn = (columns: number, events: readonly ReturnType<typeof event>[]) => {
  const stream = Object.assign(new PassThrough(), { columns })
  let seconds = 0
  const progress = liveProgress(stream, () => 1000 * seconds++)
  for (const event of events) progress.update(event)
  return writtenTo(stream).split('\r\u001b[K').at(-1) ?? ''
}

test('the line shows the stages that ended with their times, a bar, and the frames', () => {
  const line = drawnOn(100, [event('plan', 0, 0), event('render', 0.5, 100)])
  expect(line).toMatch(/^planning \d\.\d s, rendering \[#{10}-{10}\] 50 %, 100\/200 frames$/)
})

test('a narrow terminal gets no longer line than it has columns', () => {
  expect(drawnOn(30, [event('plan', 0, 0), event('render', 0.5, 100)])).toBe('50 %')
  expect(drawnOn(31, [event('plan', 0, 0), event('render', 0.5, 100)])).toBe('rendering 50 %, 100/200 frames')
})

test('the bar does not go back when frames are rendered again', () => {
  const line = drawnOn(100, [event('plan', 0, 0), event('render', 0.6, 120), event('render', 0.4, 80)])
  expect(line).toContain('] 60 %, 120/200 frames')
})

test('times of a stage that comes again are added up', () => {
  let ms = 0
  const times = createStageTimes(() => ms)
  for (const [stage, timeMs] of [
    ['plan', 0],
    ['render', 400],
    ['plan', 1000],
    ['render', 1600],
  ] as const) {
    ms = timeMs
    times.enter(stage)
  }
  ms = 2000
  expect(times.text('ended')).toBe('planning 1.0 s, rendering 0.6 s')
  expect(times.text()).toBe('planning 1.0 s, rendering 1.0 s')
})

test('a render that waits for others elsewhere says for how many, on a terminal and in a log', () => {
  const stream = Object.assign(new PassThrough(), { columns: 80 })
  const live = liveProgress(stream)
  const lines: string[] = []
  const plain = plainProgress((line) => lines.push(line))
  for (const progress of [live, plain]) for (const position of [3, 0]) progress.queued(position)
  const texts = ['waiting, 3 ahead', 'waiting, next']
  expect(writtenTo(stream).split('\r\u001b[K').slice(1)).toEqual(texts)
  expect(lines).toEqual(texts)
})
