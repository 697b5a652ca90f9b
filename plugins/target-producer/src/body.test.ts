import { type ProducerRender, ProducerRenderSchema } from '@vid/client/contract'
import { checkRequest, schemaProblems } from '@vid/kernel'
import { expect, test } from 'vitest'
import { producerBodyOf, refusedByBody } from './body.ts'

const project = 'a'.repeat(64)
const request = checkRequest({
  projectDir: '/p',
  entry: 'a.html',
  output: '/o/v.mp4',
  format: 'mp4',
  force: true,
  outputs: [{ format: 'webm', output: '/o/v.webm' }],
  fps: '29.97',
  resolution: '640x360',
  shapes: '9:16',
  from: '1s',
  to: '2s',
  quality: 'high',
  crf: 20,
  hdr: true,
  workers: 3,
  variables: { a: [1] },
  strictVariables: true,
  network: 'declared',
  segmentFrames: 30,
  raster: 'portable',
})

test('every setting of a request travels, apart from the places of this machine', () => {
  const body: ProducerRender = producerBodyOf(request, project, undefined)
  expect(schemaProblems(ProducerRenderSchema, body)).toEqual([])
  const { projectDir: _dir, output: _output, outputs: _outputs, ...rest } = request
  const { force: _force, browserGpu: _gpu, entry, ...shared } = rest
  expect(body).toEqual({ ...shared, format: 'mp4,webm', entryFile: entry, project })
})

test('the defaults of the network and of the instruction sets leave the choice to the server', () => {
  expect(producerBodyOf({ ...request, raster: 'auto' }, project, undefined)).not.toHaveProperty('raster')
  expect(producerBodyOf({ ...request, network: 'public' }, project, undefined)).not.toHaveProperty('network')
  expect(producerBodyOf({ ...request, network: 'none' }, project, 'social')).toMatchObject({
    network: 'none',
    preset: 'social',
  })
})

test('captions travel as text tracks, and not as files beside the video', () => {
  const captions = 'burn,track'
  expect(refusedByBody({ ...request, captions })).toEqual([])
  expect(producerBodyOf({ ...request, captions }, project, undefined)).toMatchObject({ captions })
  expect(refusedByBody({ ...request, captions: 'sidecar,track' })).toEqual([expect.stringContaining('sidecar')])
})

test('two outputs of one format are refused, by its name', () => {
  expect(refusedByBody(request)).toEqual([])
  const outputs = [{ format: 'mp4', output: '/o/w.mp4' }]
  expect(refusedByBody({ ...request, outputs })).toEqual([expect.stringContaining('mp4')])
})

test('a GPU that a caller insists on is refused, since the operator of the server decides about it', () => {
  expect(refusedByBody({ ...request, browserGpu: true })).toEqual([expect.stringContaining('browserGpu')])
  for (const browserGpu of [false, 'auto'] as const) expect(refusedByBody({ ...request, browserGpu })).toEqual([])
})
