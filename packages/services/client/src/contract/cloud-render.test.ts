import { schemaProblems, Value } from '@vid/protocol'
import { expect, test } from 'vitest'
import { CloudRenderInputSchema, CloudRenderSchema } from './cloud-render.ts'

const project = { type: 'asset_id', asset_id: 'asset_1' }

test('everything but the project may be left out, and has a default', () => {
  expect(schemaProblems(CloudRenderInputSchema, { project })).toEqual([])
  const filled = Value.Default(CloudRenderSchema, { project })
  expect(filled).toEqual({
    project,
    fps: 30,
    quality: 'standard',
    format: 'mp4',
    resolution: '1080p',
    composition: 'index.html',
    variables: {},
    strict_variables: true,
  })
  expect(schemaProblems(CloudRenderSchema, filled)).toEqual([])
})

test.each([
  [{ fps: 0 }, 'or a television rate such as 29.97; got 0'],
  [{ fps: 241 }, 'or a television rate such as 29.97; got 241'],
  [{ quality: 'best' }, 'quality must be one of "draft", "standard", "high"; got "best"'],
  [{ format: 'gif' }, 'format must be one of "mp4", "webm", "mov", "hls"; got "gif"'],
  [{ ladder: '720p' }, 'ladder must be even numbers of pixels'],
  [{ resolution: '720p' }, 'resolution must be one of "1080p", "4k"; got "720p"'],
  [{ aspect_ratio: '4:3' }, 'aspect_ratio must be one of "16:9", "9:16", "1:1"; got "4:3"'],
  [{ colour: 'red' }, 'it must not have additional properties: colour'],
])('%j is refused', (field, problem) => {
  const [first] = schemaProblems(CloudRenderInputSchema, { project, ...field })
  expect(first).toContain(problem)
})
