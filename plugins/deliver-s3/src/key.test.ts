import { checkRequest, type RenderRequestInput } from '@vid/kernel'
import { expect, test } from 'vitest'
import { checkResults, resultKeys } from './key.ts'

const check = (key: string, request: Partial<RenderRequestInput>) => () =>
  checkResults(key, checkRequest({ projectDir: '/film', output: '/out/film.mp4', format: 'mp4', ...request }))

const webm = { format: 'webm', output: '/out/film.webm' }

test.each<[string, Partial<RenderRequestInput>, string]>([
  ['latest.mp4', { poster: '1s' }, 'film.poster.jpg would replace film.mp4'],
  ['latest.mp4', { captions: 'sidecar' }, 'film.en.vtt would replace film.mp4'],
  ['{stem}', { captions: 'burn,sidecar' }, 'film.en.srt would replace film.en.vtt'],
  ['{date}/{stem}', { outputs: [webm] }, 'film.webm would replace film.mp4'],
])('the key %s of %j is refused: one result would replace another', (key, request, problem) => {
  expect(check(key, request)).toThrow(problem)
  expect(check(key, request)).toThrow(expect.objectContaining({ code: 'VID_S3_KEY' }))
})

test.each<[string, Partial<RenderRequestInput>]>([
  ['latest.mp4', {}],
  ['latest', { format: 'hls', output: '/out/film', poster: '1s' }],
  ['{date}/{name}', { captions: 'sidecar', poster: '1s', outputs: [webm] }],
  ['{stem}.{format}', { captions: 'sidecar', poster: '1s', outputs: [webm] }],
  ['videos/{stem}', { poster: '1s' }],
])('the key %s of %j gives every result its place', (key, request) => {
  expect(check(key, request)).not.toThrow()
})

test('the keys of a request are those of its results, in every row of a batch the same if they hold no name', () => {
  const keys = (key: string, output: string) =>
    resultKeys(key, checkRequest({ projectDir: '/film', output, format: 'mp4', poster: '1s' }))
  expect(keys('films/{name}', '/out/anna.mp4')).toEqual(['films/anna.mp4', 'films/anna.poster.jpg'])
  expect(keys('{stem}/latest.{format}', '/out/anna.mp4')).toEqual(['anna/latest.mp4', 'anna.poster/latest.jpg'])
  expect(keys('latest', '/out/anna.mp4')).toEqual(keys('latest', '/out/bert.mp4'))
})
