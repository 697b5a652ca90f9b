import { liveProgress, plainProgress, type Report, silentProgress } from '@vid/command'
import { expect, test } from 'vitest'
import type { StackEvent } from '../../stack/stack-change.ts'
import { createStackProgress } from './stack-text.ts'

const MB = 1e6
const sentBytes = [0, 8, 16, 20, 40].map((part) => part * MB)
const deployment: readonly StackEvent[] = [
  { stage: 'building' },
  { stage: 'checking', unzippedBytes: 200 * MB },
  { stage: 'compressing', unzippedBytes: 200 * MB },
  { stage: 'built', bytes: 40 * MB, unzippedBytes: 200 * MB, parts: [], formats: ['gif', 'mp4'] },
  ...sentBytes.map((bytes) => ({ stage: 'upload' as const, bytes: 40 * MB, sent: bytes })),
  { stage: 'resource', resource: 'RenderRole', type: 'AWS::IAM::Role', status: 'CREATE_COMPLETE' },
]

const reporting = () => {
  const lines: string[] = []
  const events: object[] = []
  const report = {
    note: (text: string) => lines.push(text),
    event: (event: object) => events.push(event),
  } as never as Report
  return { lines, events, report }
}

const BUILT = /^built the function: 40(\.0)? MB, 200(\.0)? MB unzipped; formats: gif, mp4$/

test('a log has a line for each step of a deployment, and for each quarter of the upload', () => {
  const { lines, report, events } = reporting()
  const { onEvent } = createStackProgress(report, plainProgress(report.note))
  for (const event of deployment) onEvent(event)
  expect(lines).toEqual([
    'building the function: collecting its packages',
    expect.stringMatching(/^building the function: starting its 200(\.0)? MB once$/),
    expect.stringMatching(/^building the function: compressing 200(\.0)? MB$/),
    expect.stringMatching(BUILT),
    ...[/ 0 .* of 40/, / 16(\.0)? MB of 40/, / 20(\.0)? MB of 40/, / 40(\.0)? MB of 40/].map((text) =>
      expect.stringMatching(text),
    ),
    'RenderRole create complete',
  ])
  expect(events).toHaveLength(deployment.length)
})

test('a terminal shows each step in one line, and keeps what was built', () => {
  const { lines, report } = reporting()
  let drawn = ''
  const progress = liveProgress({ write: (text: string) => (drawn += text) } as never)
  const { onEvent } = createStackProgress(report, progress)
  for (const event of deployment) onEvent(event)
  expect(lines).toEqual([expect.stringMatching(BUILT)])
  expect(drawn.match(/uploading/g)).toHaveLength(sentBytes.length)
})

test('a stack counts as changing once CloudFormation does something', () => {
  const { report } = reporting()
  const { onEvent, hasBegun } = createStackProgress(report, silentProgress)
  for (const event of deployment.slice(0, -1)) onEvent(event)
  expect(hasBegun()).toBe(false)
  for (const event of deployment.slice(-1)) onEvent(event)
  expect(hasBegun()).toBe(true)
})
