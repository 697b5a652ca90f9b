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
  }
  const known = builtinPresets()
  expect(known.map(({ name }) => name).sort()).toEqual(Object.keys(presets).sort())
  const made = known.flatMap(({ encoders = [] }) => encoders.flatMap((encoder) => encoder.formats))
  expect(made.sort()).toEqual(Object.keys(formats).sort())
})
