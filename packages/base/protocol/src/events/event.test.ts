import { expect, test } from 'vitest'
import { eventProblems, Type } from '../index.ts'

const error = { code: 'VID_X', message: 'it broke', hint: 'mend it', fault: 'render' }

test.each([
  { type: 'render-start', renderId: 'a', outputPath: '/out.mp4' },
  {
    type: 'render-progress',
    renderId: 'a',
    stage: 'join',
    progress: 0.98,
    framesRendered: 6,
    totalFrames: 6,
  },
  { type: 'segment-complete', renderId: 'a', index: 0, frames: 6, reused: 'the same inputs' },
  { type: 'console', renderId: 'a', level: 'warn', text: 'GSAP target #x not found.', count: 2 },
  { type: 'render-error', renderId: 'a', error },
  { type: 'render-error', error },
  { type: 'batch-row-start', renderId: 'a', index: 0, outputPath: '/0.mp4' },
  {
    type: 'batch-complete',
    manifestPath: '/manifest.json',
    total: 3,
    completed: 1,
    failed: 1,
    skipped: 0,
    cancelled: 1,
    unchanged: 0,
  },
])('an event of type $type is recognised, also after JSON', (event) => {
  expect(eventProblems(JSON.parse(JSON.stringify(event)))).toEqual([])
})

test.each([
  [
    { type: 'render-progress', renderId: 'a', stage: 'rest', progress: 2, framesRendered: 0, totalFrames: 0 },
    /stage.*progress.*got 2/,
  ],
  [{ type: 'render-start', outputPath: '/out.mp4' }, /renderId/],
  [{ type: 'render-error', error: { ...error, fault: 'user' } }, /error.fault.*"user"/],
  [{ type: 'render-began' }, /type .*"render-began"/],
  [null, /type/],
  ['render-start', /type/],
])('what is no event is refused with its problem', (value, problem) => {
  expect(eventProblems(value).join('; ')).toMatch(problem)
})

test('an event of another package is one where its schemas are added', () => {
  const added = [Type.Object({ type: Type.Literal('diff'), frames: Type.Integer() })]
  expect(eventProblems({ type: 'diff', frames: 3 })).toEqual(['type must be that of an event; got "diff"'])
  expect(eventProblems({ type: 'diff', frames: 3 }, added)).toEqual([])
  expect(eventProblems({ type: 'diff' }, added).join()).toContain('frames')
})
