import { expect, test } from 'vitest'
import { type LimitedRender, limitProblems } from './limit-problems.ts'

const hour: LimitedRender = {
  frames: 108_000,
  width: 1920,
  height: 1080,
  format: 'mp4',
  chunks: 16,
  memoryMb: 10_240,
  storageMb: 10_240,
}

const fieldsOf = (over: Partial<LimitedRender>) => limitProblems({ ...hour, ...over }).map(({ field }) => field)

test.each([
  ['an hour of mp4', {}],
  ['an hour of webm in 4k, in many chunks', { format: 'webm', width: 3840, height: 2160, chunks: 100 }],
  ['a minute of gif', { format: 'gif', frames: 900 }],
  ['ten minutes of mov', { format: 'mov', frames: 18_000 }],
  ['a thousand chunks', { chunks: 1000 }],
  ['a picture of 8k', { frames: 60, width: 7680, height: 4320 }],
])('%s is within the limits', (_name, over) => {
  expect(limitProblems({ ...hour, ...over })).toEqual([])
})

test.each([
  ['more chunks than results fit into the state of an execution', { chunks: 1001 }, 'maxParallelChunks'],
  ['too few chunks for 15 minutes each', { format: 'webm', frames: 324_000, chunks: 1 }, 'maxParallelChunks'],
  ['a picture that does not fit into the memory', { frames: 60, width: 16_384, height: 16_384 }, 'width'],
  ['a picture for a smaller function', { frames: 60, width: 3840, height: 2160, memoryMb: 1024 }, 'width'],
  ['an hour of mov, which does not fit into /tmp', { format: 'mov' }, 'format'],
  ['an hour of images', { format: 'png-sequence' }, 'format'],
  ['an hour of gif, which takes too long to join', { format: 'gif' }, 'format'],
])('%s is refused by its field', (_name, over, field) => {
  expect(fieldsOf(over)).toContain(field)
})

test('a problem says what is needed and what there is', () => {
  const [problem] = limitProblems({ ...hour, format: 'mov' })
  expect(problem?.problem).toMatch(/108000 frames.* \d{5} MB of \/tmp .*10240 MB/)
})

test('nothing is said of a format that was not measured, but of its picture and chunks', () => {
  expect(fieldsOf({ format: 'apng' })).toEqual([])
  expect(fieldsOf({ format: 'apng', chunks: 5000, width: 16_384, height: 16_384 })).toEqual([
    'maxParallelChunks',
    'width',
  ])
})
