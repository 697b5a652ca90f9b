import {
  checkRequest,
  FRAME_RATE_RULE,
  NUMERIC_FRAME_RATE_RULE,
  RenderRequestSchema,
  schemaProblems,
} from '@vid/protocol'
import { expect, test } from 'vitest'
import { CloudRenderInputSchema, CloudRenderSchema } from './cloud-render.ts'
import { ProducerRenderSchema, ProducerSnapshotSchema } from './producer-request.ts'

const project = { type: 'asset_id', asset_id: 'asset_1' }
const request = { projectDir: '/project', output: 'video.mp4' }

test.each([29.5, 0, -1, 241, 5000, 'x', '1/2', '241/1', true, null])('%j is no rate anywhere', (fps) => {
  const problem = `fps must be ${FRAME_RATE_RULE}; got ${JSON.stringify(fps)}`
  for (const schema of [ProducerRenderSchema, ProducerSnapshotSchema])
    expect(schemaProblems(schema, { fps })).toEqual([problem])
  expect(schemaProblems(RenderRequestSchema, { ...request, fps })).toContain(problem)
  expect(() => checkRequest({ ...request, fps: fps as number })).toThrow(problem)
  for (const schema of [CloudRenderSchema, CloudRenderInputSchema])
    expect(schemaProblems(schema, { project, fps })).toContain(
      `fps must be ${NUMERIC_FRAME_RATE_RULE}; got ${JSON.stringify(fps)}`,
    )
})

test.each([1, 30, 29.97, 23.976, 240])('%j is a rate everywhere', (fps) => {
  expect(schemaProblems(ProducerRenderSchema, { fps })).toEqual([])
  expect(schemaProblems(CloudRenderInputSchema, { project, fps })).toEqual([])
  expect(() => checkRequest({ ...request, fps })).not.toThrow()
})
