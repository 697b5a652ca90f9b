import { expect, test } from 'vitest'
import { defaultOutputKey, outputKeyProblem } from './output-key.ts'

test.each([
  ['videos/intro.mp4', 'mp4'],
  ['intro', 'mp4'],
  ['a/sites/intro.mp4', 'mp4'],
  ["2026-11-22/it's-(final)!_*.webm", 'webm'],
  ['frames', 'png-sequence'],
  ['films/intro', 'hls'],
  ['archive.tar', 'mp4'],
])('%s is a key for %s', (key, format) => {
  expect(outputKeyProblem(key, format)).toBeUndefined()
})

test.each([
  ['', 'text'],
  ['/intro.mp4', 'slash'],
  ['a//b.mp4', 'slash'],
  ['a/', 'slash'],
  ['a/../sites/x.mp4', '".."'],
  ['./a.mp4', '"."'],
  ['sites/x.mp4', 'sites/'],
  ['sites', 'sites/'],
  ['renders/x.mp4', 'renders/'],
  ['segments/x.mp4', 'segments/'],
  ['functions/x.zip', 'functions/'],
  ['ä.mp4', '"ä" is not allowed'],
  ['a b.mp4', '" " is not allowed'],
  ['{name}.mp4', '"{" is not allowed'],
  ['x'.repeat(901), '900 bytes'],
  ['intro.webm', 'the format is mp4'],
])('%s is no key', (key, words) => {
  expect(outputKeyProblem(key, 'mp4')).toContain(words)
})

test('a render without a key gets one of its own below outputs/', () => {
  expect(defaultOutputKey('film', 'webm')).toBe('outputs/film.webm')
  expect(defaultOutputKey('film', 'png-sequence')).toBe('outputs/film')
  expect(defaultOutputKey('film', 'hls')).toBe('outputs/film')
})
