import { expect, test } from 'vitest'
import { schemaProblems, Type } from './index.ts'
import { type RequestSetting, requestSettings } from './settings.ts'
import { defineSurface } from './surface.ts'

const surface = defineSurface(
  {
    entry: { as: 'composition', about: 'the page' },
    format: { schema: Type.Union([Type.Literal('mp4'), Type.Literal('webm')]), values: ['mp4', 'webm'] },
    fps: { write: (fps) => (typeof fps === 'number' ? fps : undefined) },
    crf: { refused: 'leave it out' },
    resolution: { own: 'give a width' },
    network: { unsent: ['public'] },
    gpu: { refused: 'there is no hardware' },
    raster: { unsent: true },
  },
  'snake_case',
)

test('a surface has every setting that is not of the machine, in its spelling', () => {
  const { settings, fields } = surface
  expect(settings).toEqual(expect.arrayContaining(['videoBitrate', 'loudness', 'variables', 'hdr']))
  for (const name of ['projectDir', 'output', 'force', 'workers', 'gpu', 'raster']) expect(settings).not.toContain(name)
  for (const name of ['crf', 'resolution', 'network']) expect(settings).not.toContain(name)
  expect(fields.video_bitrate).toMatchObject({ description: requestSettings.videoBitrate.about })
  expect(schemaProblems(fields.video_bitrate, 'much')).toHaveLength(1)
  expect(fields.composition).toMatchObject({ description: 'the page', default: 'index.html' })
  expect(fields.format).toMatchObject({ description: requestSettings.format.about })
})

test('what a surface takes and lacks comes from the same rows', () => {
  const { takes, missing } = surface
  expect(takes).toMatchObject({
    entry: true,
    format: ['mp4', 'webm'],
    crf: 'leave it out',
    resolution: true,
    network: ['public'],
    raster: true,
  })
  expect(takes.workers).toBeUndefined()
  expect(missing).toEqual({ crf: 'leave it out', resolution: 'give a width', gpu: 'there is no hardware' })
})

test('settings are written as fields and read again', () => {
  const settings = { entry: 'a.html', videoBitrate: '5M', loudness: -14, variables: { name: 'Ada' } } as const
  const fields = surface.write({ ...settings, crf: 20, workers: 2, output: 'a.mp4' })
  expect(fields).toEqual({ composition: 'a.html', video_bitrate: '5M', loudness: -14, variables: { name: 'Ada' } })
  expect(surface.read({ ...fields, title: 'another field' })).toEqual(settings)
})

test('a value that the surface does not have is not written', () => {
  expect(surface.write({ format: 'gif', fps: '30000/1001' })).toEqual({})
  expect(surface.write({ format: 'webm', fps: 25 })).toEqual({ format: 'webm', fps: 25 })
})

test('a new setting of the table needs no row', () => {
  const grain: RequestSetting = {
    schema: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    about: 'grain of the picture',
    scope: 'picture',
    effect: 'always',
    configurable: true,
  }
  const { fields, takes, write, read } = defineSurface({}, 'snake_case', { ...requestSettings, grainSize: grain })
  expect(fields).toMatchObject({ grain_size: { maximum: 10, description: 'grain of the picture' } })
  expect(takes).toMatchObject({ grainSize: true })
  expect(write({ grainSize: 3 } as object)).toEqual({ grain_size: 3 })
  expect(read({ grain_size: 3 })).toEqual({ grainSize: 3 })
})
