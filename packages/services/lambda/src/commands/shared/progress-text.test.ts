import { dollars, type Progress } from '@vid/command'
import { expect, test } from 'vitest'
import type { RenderProgress } from '../../renders/render-progress.ts'
import { createLambdaProgress, progressText } from './progress-text.ts'
import { renderStateText } from './record-text.ts'

const base: RenderProgress = {
  renderId: 'r1',
  executionArn: 'arn',
  status: 'RUNNING',
  overallProgress: 0.505,
  framesRendered: 60,
  framesReused: 0,
  totalFrames: 120,
  chunksDone: 1,
  totalChunks: 2,
  undividedFormat: null,
  format: 'mp4',
  playlistFile: null,
  lambdasInvoked: 3,
  cost: null,
  outputFile: null,
  result: null,
  errors: [],
  startedAt: '2026-11-22T10:00:00.000Z',
  endedAt: null,
}

test('a line has frames, chunks, calls and the cost where it is known', () => {
  expect(progressText(base)).toBe('rendering [##########----------] 50 %, 60/120 frames, chunks 1/2, 3 calls')
  const cost = { usd: 0.0123 } as RenderProgress['cost']
  expect(progressText({ ...base, cost, lambdasInvoked: 1 })).toMatch(/1 call, \$0\.0123$/)
  expect(progressText({ ...base, totalFrames: null, totalChunks: null })).toMatch(/^planning \[#+-+\] 50 %, 3 calls$/)
  expect(progressText({ ...base, framesRendered: 120 })).toMatch(/^joining/)
})

test('a format that cannot be divided is named beside its one chunk', () => {
  const one = { ...base, chunksDone: 0, totalChunks: 1, undividedFormat: 'webp' }
  expect(progressText(one)).toContain('chunks 0/1 (webp cannot be divided), 3 calls')
  expect(renderStateText(one)).toContain('\nchunks        0/1 (webp cannot be divided)\n')
})

test('small amounts keep their hundredths of a cent', () => {
  expect([dollars(0), dollars(0.0999), dollars(1.005), dollars(12)]).toEqual(['$0.0000', '$0.0999', '$1.00', '$12.00'])
})

test('without a terminal, each stage and each quarter is one line; on one, every look is drawn', () => {
  const looks = [null, null, 0, 10, 30, 40, 119, 120].map((framesRendered) => ({
    ...base,
    ...(framesRendered === null ? { totalFrames: null, framesRendered: 0 } : { framesRendered }),
  }))
  const shownBy = (isLive: boolean) => {
    const texts: string[] = []
    const show = createLambdaProgress({
      isLive,
      show: (text: string) => texts.push(text),
    } as never as Progress)
    for (const look of looks) show(look)
    return texts
  }
  expect(shownBy(true)).toHaveLength(looks.length)
  expect(shownBy(false).map((line) => /^\w+/.exec(line)?.[0])).toEqual([
    'planning',
    'rendering',
    'rendering',
    'rendering',
    'joining',
  ])
})
