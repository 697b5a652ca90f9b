import type { BuiltinFormat, BuiltinPreset } from '@vid/config'
import { expect, test } from 'vitest'
import { builtinPresets } from './builtin.ts'

test('the presets and formats that editors offer in a config are those that come with vid', () => {
  const presets: Readonly<Record<BuiltinPreset, true>> = {
    standard: true,
    'social-square': true,
    'social-story': true,
    'social-wide': true,
    alpha: true,
    'alpha-mov': true,
  }
  const formats: Readonly<Record<BuiltinFormat, true>> = {
    mp4: true,
    mov: true,
    webm: true,
    gif: true,
    'png-sequence': true,
    hls: true,
  }
  const builtin = builtinPresets()
  expect(builtin.map(({ name }) => name).sort()).toEqual(Object.keys(presets).sort())
  const encoded = builtin.flatMap(({ encoders = [] }) => encoders.flatMap((encoder) => encoder.formats))
  expect(encoded.sort()).toEqual(Object.keys(formats).sort())
})

test('presets of social networks set a loudness, and no other preset does', () => {
  const set = builtinPresets().filter(({ render }) => render?.loudness !== undefined)
  expect(set.map(({ name, render }) => [name, render?.loudness]).sort()).toEqual([
    ['social-square', -14],
    ['social-story', -14],
    ['social-wide', -14],
  ])
})
